// Does a grant cover an operation? Asked at each use; a call can never reach further than what was decided.
import { sep } from 'node:path';
import type { Operation, OperationOf } from '#shared/api/executor';
import { assertNever } from '#shared/util/assertNever';
import { isLocalHost } from '#shared/web/address';
import type { Grant } from '../permissions/grant';
import { normaliseHost } from '../permissions/matchHost';
import { commandLine } from '../tools/lsp/servers';
import type { CallFact } from '../tools/tool';

/** An operation outside its grant: a fault in a tool, or a path that came to mean something else since the decision. */
export class GrantError extends Error {
  override readonly name = 'GrantError';
}

type PathFact = Extract<CallFact, { kind: 'path' }>;

/**
 * Throws GrantError unless the grant's facts cover the operation and its paths still lead where they led when it was decided.
 * Answers with the real path that a file operation, a search or a command has to keep to.
 */
export async function checkCovered(options: {
  readonly grant: Grant;
  readonly operation: Operation;
  readonly realPath: (path: string) => Promise<string>;
}): Promise<string | undefined> {
  const { grant, operation, realPath } = options;
  if (operation.op === 'shell.run') {
    const { command, cwd } = operation;
    checkConfined(grant, operation);
    if (!allowsCommand(grant, command, cwd))
      throw new GrantError('This command or its folder is not what was allowed.');
    const decided = grant.realPaths.get(cwd);
    if (decided !== undefined && decided !== (await realPath(cwd))) throw moved(cwd);
    return decided;
  }
  if (operation.op === 'web.fetch') {
    checkFetch(grant, operation);
    return undefined;
  }
  if (operation.op === 'repl.run') {
    const { code, cwd } = operation;
    checkConfined(grant, operation);
    if (!grant.facts.some((fact) => fact.kind === 'code' && fact.code === code && fact.cwd === cwd))
      throw new GrantError('This code or its folder is not what was allowed.');
    return undefined;
  }
  if (operation.op === 'lsp.query') {
    await checkQuestion(grant, operation, realPath);
    return undefined;
  }
  const path = 'root' in operation ? operation.root : operation.path;
  const fact = grant.facts.find((candidate) => candidate.kind === 'path' && covers(candidate, operation));
  if (fact?.kind !== 'path') throw new GrantError(`${operation.op} of ${path} is not what was allowed.`);
  const decided = grant.realPaths.get(fact.path);
  if (decided === undefined) throw new GrantError(`It was not decided where ${fact.path} leads.`);
  const now = await realPath(path);
  if (path === fact.path ? now !== decided : !isInside(decided, now)) throw moved(path);
  return now;
}

/** Whether a host may lie on this machine or a private network: its name says so and was allowed, or a rule names it. */
export function mayReachPrivate(grant: Grant, host: string): boolean {
  const name = normaliseHost(host);
  return allowsHost(grant, name) && (isLocalHost(name) || grant.namedHosts.has(name));
}

function allowsCommand(grant: Grant, command: string, cwd: string): boolean {
  return grant.facts.some((fact) => fact.kind === 'command' && fact.command === command && fact.cwd === cwd);
}

/** What was allowed for the sandbox never runs without one, because it went away meanwhile or a setting changed. */
function checkConfined(grant: Grant, { op, sandbox }: OperationOf<'shell.run' | 'repl.run'>): void {
  if (grant.runs === 'inside' && !sandbox.enabled)
    throw new GrantError('This was allowed to run in the sandbox, which is gone. Ask again.');
  if (grant.runs === 'outside' && op === 'shell.run' && sandbox.enabled)
    throw new GrantError('This was allowed to run outside of the sandbox, and would run inside. Ask again.');
}

/** The server reads what lies below its root; one that is not confined is a command, and must have been allowed as such. */
async function checkQuestion(
  grant: Grant,
  { path, root, sandbox, server }: OperationOf<'lsp.query'>,
  realPath: (path: string) => Promise<string>,
): Promise<void> {
  for (const touched of [path, root]) {
    if (!grant.facts.some((fact) => fact.kind === 'path' && fact.path === touched))
      throw new GrantError(`Asking a language server about ${touched} is not what was allowed.`);
    if (grant.realPaths.get(touched) !== (await realPath(touched))) throw moved(touched);
  }
  const confined = sandbox.enabled && sandbox.network === 'off' && sandbox.writable.length === 0;
  if (!confined && !allowsCommand(grant, commandLine(server), root))
    throw new GrantError(`Running ${server.command} without a sandbox is not what was allowed.`);
}

function allowsHost(grant: Grant, name: string): boolean {
  return grant.facts.some((fact) => fact.kind === 'host' && normaliseHost(fact.host) === name);
}

function checkFetch(grant: Grant, { url, privateAllowed }: OperationOf<'web.fetch'>): void {
  const host = URL.canParse(url) ? normaliseHost(new URL(url).hostname) : '';
  if (host === '' || !allowsHost(grant, host)) throw new GrantError(`Fetching ${url} is not what was allowed.`);
  if (privateAllowed && !mayReachPrivate(grant, host))
    throw new GrantError(`No rule names ${host}, so it may not lie on this machine or a private network.`);
}

function covers(
  fact: PathFact,
  operation: Exclude<Operation, { op: 'shell.run' | 'web.fetch' | 'repl.run' | 'lsp.query' }>,
): boolean {
  switch (operation.op) {
    case 'file.stat':
    case 'file.read':
      return operation.path === fact.path;
    case 'file.write':
    case 'file.edit':
    case 'file.editCell':
      return fact.access === 'write' && operation.path === fact.path;
    case 'file.list':
      return fact.access === 'read' && operation.path === fact.path;
    case 'search.glob':
    case 'search.grep':
      return fact.access === 'read' && isInside(fact.path, operation.root);
    default:
      return assertNever(operation, 'operation');
  }
}

function isInside(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

function moved(path: string): GrantError {
  return new GrantError(
    `${path} leads somewhere else than when this was allowed. Ask again for the path as it is now.`,
  );
}
