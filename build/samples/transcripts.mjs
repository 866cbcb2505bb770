// Transcripts of sessions that never were, in the shape of Claude Code's: for tests, measurements and trying things out.
import { closeSync, mkdirSync, openSync, readFileSync, utimesSync, writeFileSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { seeded, weighted } from './random.mjs';
import { anyCall, prompt, resultText } from './work.mjs';

const dayMs = 86_400_000;
/** Written to the disk in pieces of this many characters. */
const pieceChars = 4_000_000;

/** The folder's name for a project's folder. */
export const projectFolder = (cwd) => cwd.replace(/[^A-Za-z0-9]/g, '-');

const refusals = [
  [
    5,
    {
      text: "The user doesn't want to proceed with this tool use. The tool use was rejected.",
      kind: 'user-rejected',
      result: 'User rejected tool use',
    },
  ],
  [3, { text: 'Permission to use Bash has been denied.' }],
  [2, { text: "Claude requested permissions to use WebFetch, but you haven't granted it yet." }],
  [1, { text: 'PreToolUse:Bash hook error: [guard.sh]: not on a Friday' }],
];

/** Collects lines and writes them when there are many. */
function lineFile(path) {
  mkdirSync(dirname(path), { recursive: true });
  const file = openSync(path, 'w');
  let pending = [];
  let chars = 0;
  let bytes = 0;
  const flush = () => {
    if (pending.length > 0) bytes += writeSync(file, `${pending.join('\n')}\n`);
    pending = [];
    chars = 0;
  };
  return {
    add(line) {
      const text = typeof line === 'string' ? line : JSON.stringify(line);
      pending.push(text);
      chars += text.length;
      if (chars > pieceChars) flush();
      return text.length + 1;
    },
    close() {
      flush();
      closeSync(file);
      return bytes;
    },
  };
}

/**
 * Writes `<claudeConfig>/projects/…` with about `calls` calls, or until about `bytes` are written. The same options give the
 * same files. The value tells what a reader must find: `calls` and `sessions` count copies of forks once, `damaged` the
 * lines that cannot be understood.
 *
 * @param {{
 *   claudeConfig: string, seed?: number, calls?: number, bytes?: number, until?: number, days?: number,
 *   folders?: string[], callsPerSession?: number, resultChars?: number, odd?: boolean,
 * }} options `until`: epoch milliseconds of the youngest call; `folders`: the projects' folders; `odd`: with forks, damaged
 * lines and unknown kinds.
 */
export function writeTranscripts(options) {
  const {
    claudeConfig,
    seed = 1,
    bytes: wantedBytes = null,
    calls: wantedCalls = wantedBytes === null ? 1_000 : Number.POSITIVE_INFINITY,
    until = Date.now(),
    days = 60,
    folders = ['/srv/app', '/srv/shop', '/srv/tools/report', '/srv/site', '/srv/notes'],
    callsPerSession = 60,
    resultChars = 900,
    odd = true,
  } = options;
  const random = seeded(seed);
  const found = { calls: 0, sessions: 0, files: 0, bytes: 0, damaged: 0, refused: 0, subagentCalls: 0 };
  const enough = () => found.calls >= wantedCalls || (wantedBytes !== null && found.bytes >= wantedBytes);
  const close = (file) => {
    found.files += 1;
    found.bytes += file.close();
  };

  /** Each line hangs below the one before; a sub-agent has a thread of its own. */
  function next(about, inAgent) {
    const parentUuid = about.last.get(inAgent) ?? null;
    const uuid = random.uuid();
    about.last.set(inAgent, uuid);
    return { parentUuid, uuid };
  }

  function oneCall({ file, about, at, mode, inAgent }) {
    const [tool, input] = anyCall(random, about.cwd);
    const id = `toolu_${random.hex(24)}`;
    const envelope = (type, time) => ({
      ...next(about, inAgent),
      isSidechain: inAgent !== null,
      userType: 'external',
      cwd: about.cwd,
      sessionId: about.session,
      version: '2.1.300',
      gitBranch: 'main',
      type,
      timestamp: new Date(time).toISOString(),
      ...(inAgent === null ? {} : { agentId: inAgent }),
    });
    file.add({
      ...envelope('assistant', at),
      message: {
        id: `msg_${random.hex(24)}`,
        type: 'message',
        role: 'assistant',
        model: 'claude-sample',
        content: [{ type: 'tool_use', id, name: tool, input }],
        stop_reason: 'tool_use',
        usage: { input_tokens: random.below(4_000), output_tokens: random.below(600) },
      },
      requestId: `req_${random.hex(20)}`,
    });
    found.calls += 1;
    if (inAgent !== null) found.subagentCalls += 1;
    // The last call of a session that broke off has no result.
    if (odd && random.chance(0.004)) return;
    const refusal = odd && random.chance(0.03) ? weighted(random, refusals) : null;
    const failed = refusal === null && random.chance(0.06);
    if (refusal !== null) found.refused += 1;
    const text = refusal?.text ?? (failed ? 'Exit code 1\n' : '') + resultText(random, random.below(resultChars * 2));
    const isPersisted = odd && refusal === null && random.chance(0.01);
    const kept = join(about.beside, 'tool-results', `${id}.txt`);
    if (isPersisted) {
      mkdirSync(dirname(kept), { recursive: true });
      writeFileSync(kept, resultText(random, 40_000));
    }
    const content = isPersisted
      ? `<persisted-output>\nOutput too large (39.1KB). Full output saved to: ${kept}\n\nPreview (first 2KB):\n${resultText(random, 2_000)}\n</persisted-output>`
      : text;
    file.add({
      ...envelope('user', at + 40 + random.below(4_000)),
      message: {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: id, content, is_error: failed || refusal !== null }],
      },
      toolUseResult:
        refusal === null
          ? { stdout: content, stderr: '', interrupted: false }
          : (refusal.result ?? `Error: ${refusal.text}`),
      ...(refusal?.kind === undefined ? {} : { toolDenialKind: refusal.kind }),
      ...(random.chance(0.1) ? { permissionMode: mode } : {}),
    });
  }

  const oddLine = (about, at) =>
    weighted(random, [
      [4, { type: 'file-history-snapshot', messageId: random.uuid(), snapshot: { trackedFileBackups: {} } }],
      [
        3,
        {
          type: 'queue-operation',
          operation: 'enqueue',
          sessionId: about.session,
          timestamp: new Date(at).toISOString(),
        },
      ],
      [
        3,
        {
          type: 'attachment',
          attachment: { type: 'hook_success', content: 'ok' },
          cwd: about.cwd,
          sessionId: about.session,
        },
      ],
      [2, { type: 'a-kind-of-next-year', payload: { tool_use: 'not one', nested: [[[{ type: 'tool_result' }]]] } }],
      [2, { type: 'summary', summary: 'Mending the basket', leafUuid: random.uuid() }],
      [2, { type: 'last-prompt', text: 'go on' }],
    ]);
  const damagedLine = () =>
    weighted(random, [
      [2, '{"type":"assistant","message":{"content":[{"type":"tool_use","id":"toolu_cut","name":"Bash","inp'],
      [1, '\u0000\u0000\u0000"type":"tool_use" \u0001'],
      [1, '{"type":"user","message":{"content":[{"type":"tool_result",}]}'],
    ]);

  const written = [];
  while (!enough()) {
    const cwd = folders[found.sessions % folders.length];
    const session = random.uuid();
    const folder = join(claudeConfig, 'projects', projectFolder(cwd));
    const about = { cwd, session, beside: join(folder, session), last: new Map() };
    const path = join(folder, `${session}.jsonl`);
    const file = lineFile(path);
    const mode = weighted(random, [
      [6, 'default'],
      [3, 'acceptEdits'],
      [1, 'plan'],
    ]);
    let at = until - Math.floor(random.next() * days * dayMs) - callsPerSession * 8_000;
    file.add({ type: 'mode', mode: 'normal' });
    if (random.chance(0.7)) file.add({ type: 'permission-mode', permissionMode: mode, sessionId: session });
    const size = Math.max(1, Math.min(1 + random.below(callsPerSession * 2), wantedCalls - found.calls));
    for (let made = 0; made < size; made += 1) {
      if (made % 10 === 0)
        file.add({
          ...next(about, null),
          type: 'user',
          sessionId: session,
          cwd,
          timestamp: new Date(at).toISOString(),
          isSidechain: false,
          ...(random.chance(0.8) ? { permissionMode: mode } : {}),
          message: { role: 'user', content: prompt(random) },
        });
      if (odd && random.chance(0.05)) file.add(oddLine(about, at));
      if (odd && random.chance(0.002)) {
        file.add(damagedLine());
        found.damaged += 1;
      }
      oneCall({ file, about, at, mode, inAgent: null });
      at += 1_000 + random.below(7_000);
    }
    close(file);
    // As old as what is in them: a fork is younger than what it copied.
    const age = (name, time) => utimesSync(name, time / 1_000, time / 1_000);
    age(path, at);
    found.sessions += 1;
    written.push({ path, folder, session });
    if (!enough() && random.chance(0.2)) {
      const agent = random.hex(16);
      const own = join(about.beside, 'subagents', `agent-${agent}.jsonl`);
      const agentFile = lineFile(own);
      const agentCalls = Math.min(1 + random.below(12), wantedCalls - found.calls);
      for (let made = 0; made < agentCalls; made += 1)
        oneCall({ file: agentFile, about, at: at + made * 2_000, mode, inAgent: agent });
      close(agentFile);
      writeFileSync(
        own.replace(/jsonl$/, 'meta.json'),
        JSON.stringify({ agentType: 'Explore', toolUseId: `toolu_${random.hex(24)}` }),
      );
    }
    // A fork copies what came before under a session of its own.
    if (odd && random.chance(0.1)) {
      const copy = random.uuid();
      const text = readFileSync(path, 'utf8').replaceAll(session, copy);
      const fork = join(folder, `${copy}.jsonl`);
      writeFileSync(fork, text);
      age(fork, at + 60_000);
      found.files += 1;
      found.bytes += Buffer.byteLength(text);
      found.damaged += text.split('\n').filter((line) => line !== '' && !isJson(line)).length;
    }
  }
  return { ...found, written: written.map((one) => one.path) };
}

function isJson(text) {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
