// The different calls among those of the past, each with its facts. Texts that no rule looks at do not tell calls apart.
import type { PermissionMode } from '#shared/permissions/modes';
import type { CallFacts } from '../../permissions/callFacts';
import type { Place } from '../../permissions/facts';
import type { PermissionRequest } from '../../permissions/permissionRequest';
import type { CallIndex, IndexedCall } from '../pastCalls';
import type { PastRequest, RequestReader } from './pastRequest';

/** `unknown`: the record does not say. `unknownRan`: nor does it, and the call was carried out. */
export type ModeKey = PermissionMode | 'unknown' | 'unknownRan';

/** One call that was made once or more. */
export interface Distinct {
  readonly project: string;
  readonly cwd: string;
  readonly tool: string;
  readonly title: string;
  readonly doubt: PastRequest['doubt'];
  /** A call of the index that it can be made from again. */
  readonly sample: string;
  readonly cases: Map<ModeKey, PastCase>;
}

/** A call in a mode: what has one verdict. */
export interface PastCase {
  readonly distinct: Distinct;
  readonly mode: ModeKey;
}

export interface Gathered {
  readonly request: PermissionRequest;
  readonly facts: CallFacts;
}

/** Texts that tell no calls apart, by tool. */
const freeTexts: ReadonlyMap<string, readonly string[]> = new Map([
  ['Bash', ['description']],
  ['Monitor', ['description']],
  ['PowerShell', ['description']],
  ['Write', ['content']],
  ['Edit', ['old_string', 'new_string', 'replace_all']],
  ['MultiEdit', ['edits']],
  ['NotebookEdit', ['new_source']],
  ['WebFetch', ['prompt']],
  ['Agent', ['prompt']],
  ['Task', ['prompt']],
]);

const freeNames: ReadonlySet<string> = new Set([...freeTexts.values()].flat());

/** Whether a rule looks at a text that else tells no calls apart. */
export function looksAtFreeText(rule: string): boolean {
  const field = /^[^(]*\(\s*([A-Za-z_]\w*)\s*:/.exec(rule)?.[1];
  return field !== undefined && freeNames.has(field);
}

function withoutFreeTexts(request: PermissionRequest): PermissionRequest {
  const free = freeTexts.get(request.toolName);
  if (free === undefined) return request;
  const input = Object.fromEntries(Object.entries(request.input).filter(([key]) => !free.includes(key)));
  return { ...request, input };
}

/** Facts that are kept, in characters of what they were made from, roughly. More are made anew. */
const maxWeight = 120_000_000;
/** More different calls than this are not kept. */
const maxDistinct = 300_000;

export interface DistinctOptions {
  readonly index: CallIndex;
  readonly read: RequestReader;
  /** All texts tell calls apart, because a rule looks at them. */
  readonly whole: boolean;
}

export class DistinctCalls {
  private readonly byCall = new Map<string, Map<string, Distinct>>();
  private readonly byContent = new Map<string, Distinct>();
  private readonly requests = new Map<Distinct, PastRequest>();
  private readonly gathered = new Map<Distinct, Map<string, Gathered>>();
  private weight = 0;

  constructor(private readonly options: DistinctOptions) {}

  /** Whether it holds so much that all should be made anew. */
  get isFull(): boolean {
    return this.byContent.size > maxDistinct || this.byCall.size > maxDistinct * 2;
  }

  of(call: IndexedCall): Distinct {
    const inProject = this.byCall.get(call.project) ?? new Map<string, Distinct>();
    this.byCall.set(call.project, inProject);
    const known = inProject.get(call.key);
    if (known !== undefined) return known;
    const read = this.trimmed(this.options.read(call));
    const { request, doubt } = read;
    const content = `${call.project}\0${call.cwd}\0${call.tool}\0${doubt}\0${JSON.stringify(request.own)}${JSON.stringify(request.input)}`;
    const distinct = this.byContent.get(content) ?? this.add(content, call, read);
    inProject.set(call.key, distinct);
    return distinct;
  }

  caseOf(distinct: Distinct, call: Pick<IndexedCall, 'mode' | 'outcome'>): PastCase {
    const ran = call.outcome === 'ran' || call.outcome === 'failed';
    const mode: ModeKey = call.mode ?? (ran ? 'unknownRan' : 'unknown');
    const known = distinct.cases.get(mode);
    if (known !== undefined) return known;
    const made: PastCase = { distinct, mode };
    distinct.cases.set(mode, made);
    return made;
  }

  /** The facts of a call; null when it is gone from the index. */
  gather(distinct: Distinct, place: Place, factsOf: (request: PermissionRequest) => CallFacts): Gathered | null {
    const key = placeKey(place);
    const known = this.gathered.get(distinct)?.get(key);
    if (known !== undefined) return known;
    const read = this.requestOf(distinct);
    if (read === null) return null;
    const made: Gathered = { request: read.request, facts: factsOf(read.request) };
    this.keep(distinct, key, made);
    return made;
  }

  /** Only if they are at hand. */
  gatheredAlready(distinct: Distinct, place: Place): Gathered | undefined {
    return this.gathered.get(distinct)?.get(placeKey(place));
  }

  /** Forgets what the disk had a part in. */
  forgetFacts(): void {
    this.gathered.clear();
    this.requests.clear();
    this.weight = 0;
  }

  private trimmed(read: PastRequest): PastRequest {
    return this.options.whole ? read : { ...read, request: withoutFreeTexts(read.request) };
  }

  private add(content: string, call: IndexedCall, read: PastRequest): Distinct {
    const { project, cwd, tool, title } = call;
    const { doubt } = read;
    const distinct: Distinct = { project, cwd, tool, title, doubt, sample: call.id, cases: new Map() };
    this.byContent.set(content, distinct);
    this.makeRoom(content.length);
    this.requests.set(distinct, read);
    return distinct;
  }

  private requestOf(distinct: Distinct): PastRequest | null {
    const known = this.requests.get(distinct);
    if (known !== undefined) return known;
    const call = this.options.index.find(distinct.sample);
    return call === null ? null : this.trimmed(this.options.read(call));
  }

  private keep(distinct: Distinct, key: string, made: Gathered): void {
    const { commands, files, shellText } = made.facts;
    this.makeRoom(400 + (shellText?.length ?? 0) * 4 + (commands.length + files.length) * 400);
    const known = this.gathered.get(distinct) ?? new Map<string, Gathered>();
    this.gathered.set(distinct, known);
    known.set(key, made);
  }

  private makeRoom(weight: number): void {
    if (this.weight + weight > maxWeight) this.forgetFacts();
    this.weight += weight;
  }
}

const placeKeys = new WeakMap<Place, string>();

/** What of a place has a part in the facts of a call whose folder is known. */
function placeKey(place: Place): string {
  const known = placeKeys.get(place);
  if (known !== undefined) return known;
  const key = JSON.stringify([place.folder, place.additional]);
  placeKeys.set(place, key);
  return key;
}
