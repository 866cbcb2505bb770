// All that the replayer keeps between questions: different calls, their order in time, and the verdicts of policies.
import type { Sources } from '../../permissions/combineSources';
import type { SourcesHost } from '../../permissions/compileSources';
import { diskView, type FileView } from '../../permissions/fileView';
import { loadSecondParser } from '../../permissions/shell/treeSitter';
import type { CallIndex, ReplayPlace, ReplayPolicies } from '../pastCalls';
import { changedRules } from './changedRules';
import { DistinctCalls, looksAtFreeText } from './distinctCalls';
import { heldView } from './heldView';
import type { RequestReader } from './pastRequest';
import { PolicyVerdicts } from './policyVerdicts';
import { Timeline } from './timeline';

/** So long the disk is taken to be as it was, in milliseconds. */
const diskMs = 900_000;
/** Policies whose verdicts are kept, in all and for one folder. */
const maxPolicies = 240;
const maxPerFolder = 4;

/** What questions with rules of one kind share. */
export class Memory {
  readonly calls: DistinctCalls;
  readonly timeline: Timeline;
  private readonly policies = new Map<Sources, PolicyVerdicts>();

  constructor(
    index: CallIndex,
    private readonly options: {
      readonly read: RequestReader;
      readonly whole: boolean;
      readonly host: SourcesHost;
      readonly view: FileView;
    },
  ) {
    this.calls = new DistinctCalls({ index, read: options.read, whole: options.whole });
    this.timeline = new Timeline(index, this.calls);
  }

  /** The verdicts of a policy; what another one of its folder has decided in the same way is taken over. */
  verdictsOf(sources: Sources): PolicyVerdicts {
    const known = this.policies.get(sources);
    if (known !== undefined) {
      this.policies.delete(sources);
      this.policies.set(sources, known);
      return known;
    }
    const { host, view } = this.options;
    const made = new PolicyVerdicts({ sources, host, view });
    let best: { readonly from: PolicyVerdicts; readonly changed: NonNullable<ReturnType<typeof changedRules>> } | null =
      null;
    const alike: Sources[] = [];
    for (const [other, verdicts] of this.policies) {
      if (other.folder !== sources.folder) continue;
      alike.push(other);
      const changed = changedRules(other, sources);
      if (changed !== null && (best === null || changed.length < best.changed.length))
        best = { from: verdicts, changed };
    }
    if (best !== null) made.adopt(best.from, best.changed, this.calls);
    this.policies.set(sources, made);
    for (const old of alike.slice(0, Math.max(0, alike.length + 1 - maxPerFolder))) this.policies.delete(old);
    for (const oldest of this.policies.keys()) {
      if (this.policies.size <= maxPolicies) break;
      this.policies.delete(oldest);
    }
    return made;
  }
}

export class World {
  private readonly memories = new Map<boolean, { readonly memory: Memory; readonly since: number }>();

  constructor(
    private readonly index: CallIndex,
    private readonly place: ReplayPlace,
    private readonly read: RequestReader,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** What is kept for questions about these policies and rules. */
  async memoryFor({ before, after }: ReplayPolicies, rules: readonly string[] = []): Promise<Memory> {
    await loadSecondParser();
    const whole =
      rules.some(looksAtFreeText) || [...before.values(), ...after.values()].some((sources) => looksAtTexts(sources));
    const known = this.memories.get(whole);
    if (known !== undefined && !known.memory.calls.isFull && this.now() - known.since < diskMs) return known.memory;
    const { home, data, privateFiles, platform } = this.place;
    const memory = new Memory(this.index, {
      read: this.read,
      whole,
      host: { home, data, privateFiles, platform },
      view: heldView(diskView(platform)),
    });
    this.memories.set(whole, { memory, since: this.now() });
    return memory;
  }

  /** The same with nothing kept: the disk as it is now. */
  async freshMemory(): Promise<Memory> {
    await loadSecondParser();
    const { home, data, privateFiles, platform } = this.place;
    return new Memory(this.index, {
      read: this.read,
      whole: true,
      host: { home, data, privateFiles, platform },
      view: heldView(diskView(platform)),
    });
  }
}

const looking = new WeakMap<Sources, boolean>();

function looksAtTexts(sources: Sources): boolean {
  const known = looking.get(sources);
  if (known !== undefined) return known;
  const found = sources.rules.some(({ ref }) => looksAtFreeText(ref.text));
  looking.set(sources, found);
  return found;
}
