// Reads `sandbox` from all settings files of a session. What weakens the sandbox counts only where it may; what cannot be
// understood counts as its strictest form, and both are told.
import { dirname } from 'node:path';
import type { SandboxLimits } from '#shared/api/executorShell';
import type { SandboxEntry, SandboxOrigin, SandboxView } from '#shared/api/sandbox';
import type { SettingsPath } from '#shared/settings/schema';
import { fieldsOf } from '../hooks/hookSettings';
import { deniedPattern, hostPattern } from '../network/hostLists';
import type { SettingsInForce } from '../permissions/settingsInForce';
import { elsewhere, known } from './settingKeys';

/** A path or pattern as written, and the folder that a relative one starts from. */
export interface WrittenPlace extends SandboxEntry {
  readonly base: string;
}

type Switch = SandboxView['enabled'];
type Ignored = SandboxView['ignored'][number];

/** What the files of a session say of its sandbox. */
export interface SandboxSettings {
  readonly enabled: Switch;
  readonly failIfUnavailable: Switch;
  readonly autoAllow: Switch;
  readonly allowOutside: Switch;
  readonly excluded: readonly SandboxEntry[];
  readonly allowWrite: readonly WrittenPlace[];
  readonly denyWrite: readonly WrittenPlace[];
  readonly denyRead: readonly WrittenPlace[];
  readonly allowRead: readonly WrittenPlace[];
  /** Names of variables that commands in the sandbox do not get. */
  readonly deniedVariables: readonly string[];
  readonly network: {
    readonly allowed: readonly SandboxEntry[];
    readonly denied: readonly SandboxEntry[];
    /** Hosts on neither list are refused without an ask. */
    readonly strict: Switch;
    /** Only the policy's own allowed domains count: nobody is asked, and the session's switch opens nothing. */
    readonly managedOnly: boolean;
    readonly unixSockets: Switch;
    /** Ports of proxies of the person's own on this machine. */
    readonly httpProxyPort: number | null;
    readonly socksProxyPort: number | null;
  };
  readonly limits: SandboxLimits;
  readonly ignored: readonly Ignored[];
  /** Why no command may run until a setting is mended; empty when all is well. */
  readonly problem: string;
}

/** Processes of one command, all that it starts included, unless a setting says otherwise. */
export const usualProcesses = 4_096;

const byDefault: SandboxOrigin = { kind: 'default' };

const untrusted = 'The folder is not trusted, and this would weaken the sandbox.';
const noHost = 'It must be a host such as example.com, *.example.com or example.com:8443';
const policyUnread = 'The policy cannot be read, so nobody knows whether it allows this.';

const masked =
  'Nothing is put in the place of what is masked, so it is hidden from commands altogether, as with the mode "deny".';

type ListKey =
  | 'excludedCommands'
  | `filesystem.${'allowWrite' | 'denyWrite' | 'denyRead' | 'allowRead'}`
  | `network.${'allowedDomains' | 'deniedDomains'}`;

interface Read {
  readonly file: SettingsInForce;
  readonly value: unknown;
  readonly path: SettingsPath;
  readonly from: SandboxOrigin;
  readonly base: string;
}

class Reading {
  readonly ignored: Ignored[] = [];
  readonly broken: string[] = [];
  private readonly files: readonly SettingsInForce[];
  private readonly policyUnknown: boolean;

  constructor(private readonly options: SandboxSettingsOptions) {
    this.files = options.files;
    this.policyUnknown = options.files.some((file) => file.source === 'policySettings' && file.unknown);
    for (const file of this.files) this.lookOver(file);
  }

  /** A switch by rank. `strict` is the value that confines more; it counts from everywhere. */
  switch(key: string, { usual, strict }: { readonly usual: boolean; readonly strict: boolean }): Switch {
    let result: Switch = { on: usual, from: byDefault };
    for (const read of this.valuesOf(key)) {
      const isRead = typeof read.value === 'boolean';
      if (!isRead) this.ignore(read, `It must be true or false, so it counts as ${strict}.`);
      const on = typeof read.value === 'boolean' ? read.value : strict;
      const objection = on === strict ? '' : this.objection(read.file);
      if (objection !== '') this.ignore(read, objection);
      else result = { on, from: read.from };
    }
    if (this.policyUnknown && result.on !== strict) return { on: strict, from: this.policyOrigin() };
    return result;
  }

  /** All entries of a list. `weakens`: it counts only where it may; else what is not understood stops all commands. */
  list(
    key: ListKey,
    {
      weakens,
      policyOnly = false,
      objectionTo = () => '',
    }: {
      readonly weakens: boolean;
      readonly policyOnly?: boolean;
      /** Why a text is no entry of this list; empty when it is one. */
      readonly objectionTo?: (text: string) => string;
    },
  ): WrittenPlace[] {
    return this.valuesOf(key).flatMap((read) => {
      const objection = !weakens
        ? ''
        : policyOnly && read.file.source !== 'policySettings'
          ? 'The policy lets only its own entries count.'
          : this.objection(read.file);
      if (objection !== '') {
        this.ignore(read, objection);
        return [];
      }
      const entries = typeof read.value === 'string' ? [read.value] : read.value;
      if (!Array.isArray(entries)) {
        this.notUnderstood(read, 'It must be a list of texts', weakens);
        return [];
      }
      return entries.flatMap((entry: unknown, index): WrittenPlace[] => {
        const path = Array.isArray(read.value) ? [...read.path, index] : read.path;
        const at = { ...read, path, from: this.originOf(read.file, path) };
        const isText = typeof entry === 'string' && entry.trim() !== '' && !entry.includes('\0');
        const fault = isText ? objectionTo(entry.trim()) : 'An entry must be a text';
        if (isText && fault === '') return [{ text: entry.trim(), from: at.from, base: read.base }];
        this.notUnderstood(at, fault, weakens);
        return [];
      });
    });
  }

  /** Files or variables of `credentials`: what each entry names under `name`. What is not understood stops all commands. */
  credentials(key: 'files' | 'envVars', name: 'path' | 'name'): WrittenPlace[] {
    return this.valuesOf(`credentials.${key}`).flatMap((read) => {
      if (!Array.isArray(read.value)) {
        this.notUnderstood(read, 'It must be a list of objects', false);
        return [];
      }
      return read.value.flatMap((entry: unknown, index): WrittenPlace[] => {
        const path = [...read.path, index];
        const at = { ...read, path, value: entry, from: this.originOf(read.file, path) };
        const fields = fieldsOf(entry);
        const text = fields?.[name];
        const mode = fields?.mode;
        if (typeof text !== 'string' || text.trim() === '' || text.includes('\0')) {
          this.notUnderstood(at, `An entry must be an object with "${name}" and "mode"`, false);
          return [];
        }
        if (mode !== 'deny')
          this.ignore(at, mode === 'mask' ? masked : 'The mode must be "deny", so it counts as that.');
        return [{ text: text.trim(), from: at.from, base: read.base }];
      });
    });
  }

  port(key: string): number | null {
    let port: number | null = null;
    for (const read of this.valuesOf(key)) {
      const { value } = read;
      const objection = this.objection(read.file);
      if (typeof value !== 'number' || !Number.isInteger(value) || value < 1 || value > 65_535)
        this.ignore(read, 'It must be a port between 1 and 65535.');
      else if (objection !== '') this.ignore(read, objection);
      else port = value;
    }
    return port;
  }

  /** A limit by rank; files that wait for trust can only lower it. In units of `unit`. */
  limit(key: string, { usual, unit }: { readonly usual: number | null; readonly unit: number }): number | null {
    let limit = usual;
    for (const read of this.valuesOf(key)) {
      const { value, file } = read;
      if (
        typeof value !== 'number' ||
        !Number.isInteger(value) ||
        value < 1 ||
        value * unit > Number.MAX_SAFE_INTEGER
      ) {
        this.ignore(read, 'It must be a whole number above 0.');
        continue;
      }
      const wanted = value * unit;
      const objection = limit === null || wanted <= limit ? '' : this.objection(file);
      if (objection !== '') this.ignore(read, objection);
      else limit = wanted;
    }
    return limit;
  }

  /** Whether the policy has switched something on that only it can; what is not understood counts as on. */
  policySwitch(key: string): boolean {
    let on = false;
    for (const read of this.valuesOf(key)) {
      if (read.file.source !== 'policySettings') this.ignore(read, 'It counts in the policy alone.');
      else {
        if (typeof read.value !== 'boolean') this.ignore(read, 'It must be true or false, so it counts as true.');
        on ||= read.value !== false;
      }
    }
    return on || this.policyUnknown;
  }

  private objection(file: SettingsInForce): string {
    if (file.waits) return untrusted;
    return this.policyUnknown && file.source !== 'policySettings' ? policyUnread : '';
  }

  /** The values that files have at a key such as `network.allowedDomains`, lowest rank first. */
  private valuesOf(key: string): Read[] {
    const names = ['sandbox', ...key.split('.')];
    return this.files.flatMap((file) => {
      let value: unknown = file.content?.value;
      for (const name of names) {
        const fields = fieldsOf(value);
        if (fields === null || !Object.hasOwn(fields, name)) return [];
        value = fields[name];
      }
      return [{ file, value, path: names, from: this.originOf(file, names), base: this.baseOf(file) }];
    });
  }

  /** Groups that are none, and keys that have no effect here. */
  private lookOver(file: SettingsInForce): void {
    const sandbox = fieldsOf(file.content?.value)?.sandbox;
    if (sandbox === undefined) return;
    const read = (path: SettingsPath): Read => ({
      ...{ file, path, value: undefined },
      from: this.originOf(file, path),
      base: this.baseOf(file),
    });
    const fields = fieldsOf(sandbox);
    if (fields === null) {
      this.notUnderstood(read(['sandbox']), 'It must be an object', false);
      return;
    }
    const groups = ['filesystem', 'network', 'limits', 'credentials'];
    for (const [key, value] of Object.entries(fields)) {
      const inner = groups.includes(key) ? fieldsOf(value) : null;
      if (groups.includes(key) && inner === null)
        this.notUnderstood(read(['sandbox', key]), 'It must be an object', key === 'limits');
      for (const name of inner === null ? [key] : Object.keys(inner).map((one) => `${key}.${one}`)) {
        if (known.has(name) || groups.includes(name)) continue;
        this.ignore(read(['sandbox', ...name.split('.')]), elsewhere.get(name) ?? 'There is no such setting.');
      }
    }
  }

  private notUnderstood(read: Read, what: string, weakens: boolean): void {
    this.ignore(read, weakens ? `${what}; it was skipped.` : `${what}. Until it is mended no command runs.`);
    if (!weakens)
      this.broken.push(`${read.path.join('.')} in ${placeOf(read.from)} is not understood: ${what.toLowerCase()}`);
  }

  private ignore({ path, from, value }: Pick<Read, 'path' | 'from' | 'value'>, why: string): void {
    const setting = path.filter((part) => typeof part === 'string').join('.');
    const shown = value === undefined ? '' : `: ${oneLine(JSON.stringify(value) ?? '')}`;
    this.ignored.push({ setting: `${setting}${shown}`, why, from });
  }

  private originOf(file: SettingsInForce, path: SettingsPath): SandboxOrigin {
    return { kind: 'setting', source: file.source, path: file.path, line: file.content?.lineOf(path) ?? null };
  }

  private policyOrigin(): SandboxOrigin {
    const file = this.files.find((one) => one.source === 'policySettings' && one.unknown);
    return { kind: 'setting', source: 'policySettings', path: file?.path ?? null, line: null };
  }

  /** A relative path starts at the session's folder, in a file elsewhere at that file's folder. */
  private baseOf({ source, path }: SettingsInForce): string {
    const ofFolder = source === 'projectSettings' || source === 'localSettings';
    return ofFolder || path === null ? this.options.folder : dirname(path);
  }
}

/** Longest value that is quoted, in characters. */
const maxQuoted = 200;

const oneLine = (text: string): string => (text.length > maxQuoted ? `${text.slice(0, maxQuoted - 1)}…` : text);

/** `/home/ada/.claude/settings.json, line 4`, for people. */
export function placeOf(from: SandboxOrigin): string {
  if (from.kind !== 'setting') return 'Gatehouse';
  const line = from.line === null ? '' : `, line ${from.line}`;
  return `${from.path ?? 'the settings given at launch'}${line}`;
}

export interface SandboxSettingsOptions {
  /** Lowest rank first. */
  readonly files: readonly SettingsInForce[];
  /** The session's folder. */
  readonly folder: string;
}

/** Puts together what counts. Pure. */
export function readSandboxSettings(options: SandboxSettingsOptions): SandboxSettings {
  const reading = new Reading(options);
  const managedDomains = reading.policySwitch('network.allowManagedDomainsOnly');
  const managedReads = reading.policySwitch('filesystem.allowManagedReadPathsOnly');
  const bare = ({ text, from }: WrittenPlace): SandboxEntry => ({ text, from });
  const memory = reading.limit('limits.memoryMiB', { usual: null, unit: 1024 * 1024 });
  const file = reading.limit('limits.fileMiB', { usual: null, unit: 1024 * 1024 });
  const processes = reading.limit('limits.processes', { usual: usualProcesses, unit: 1 });
  const settings = {
    enabled: reading.switch('enabled', { usual: true, strict: true }),
    failIfUnavailable: reading.switch('failIfUnavailable', { usual: false, strict: true }),
    autoAllow: reading.switch('autoAllowBashIfSandboxed', { usual: false, strict: false }),
    allowOutside: reading.switch('allowUnsandboxedCommands', { usual: true, strict: false }),
    excluded: reading.list('excludedCommands', { weakens: true }).map(bare),
    allowWrite: reading.list('filesystem.allowWrite', { weakens: true }),
    denyWrite: reading.list('filesystem.denyWrite', { weakens: false }),
    denyRead: [...reading.list('filesystem.denyRead', { weakens: false }), ...reading.credentials('files', 'path')],
    allowRead: reading.list('filesystem.allowRead', { weakens: true, policyOnly: managedReads }),
    deniedVariables: reading.credentials('envVars', 'name').map(({ text }) => text),
    network: {
      allowed: reading
        .list('network.allowedDomains', {
          weakens: true,
          policyOnly: managedDomains,
          objectionTo: (text) => (hostPattern(text) === null ? noHost : ''),
        })
        .map(bare),
      denied: reading
        .list('network.deniedDomains', {
          weakens: false,
          objectionTo: (text) => (deniedPattern(text) === null ? noHost : ''),
        })
        .map(bare),
      strict: reading.switch('network.strictAllowlist', { usual: false, strict: true }),
      managedOnly: managedDomains,
      unixSockets: reading.switch('network.allowAllUnixSockets', { usual: false, strict: false }),
      httpProxyPort: reading.port('network.httpProxyPort'),
      socksProxyPort: reading.port('network.socksProxyPort'),
    },
    limits: {
      ...(memory === null ? {} : { memoryBytes: memory }),
      ...(processes === null ? {} : { processes }),
      ...(file === null ? {} : { fileBytes: file }),
    },
  };
  const { broken, ignored } = reading;
  return {
    ...settings,
    ignored,
    problem: broken.length === 0 ? '' : `${broken[0] ?? ''}. Mend it, then commands run again.`,
  };
}
