// What calls change for the calls after them, held back until nothing runs that may overlap them.

import type { PipelineServices } from '../pipeline/services';
import type { ContextChange } from '../tools/tool';

/** Collects the changes of one message's calls. A later change of the same call counts over an earlier one. */
export class ContextChanges {
  private readonly held = new Map<string, { readonly sessionId: string; readonly change: ContextChange }[]>();
  /** The services to run these calls with. */
  readonly services: PipelineServices;

  constructor(private readonly base: PipelineServices) {
    this.services = {
      ...base,
      changeContext: ({ sessionId, callId }, change) => {
        const held = this.held.get(callId) ?? [];
        held.push({ sessionId, change });
        this.held.set(callId, held);
      },
    };
  }

  /** Makes a call's changes hold from now on. */
  apply(callId: string): void {
    for (const { sessionId, change } of this.held.get(callId) ?? []) {
      const { cwd } = change;
      if (cwd === undefined || cwd === this.base.sessions.state(sessionId).cwd) continue;
      this.base.sessions.append(sessionId, { type: 'cwd.changed', cwd });
    }
    this.held.delete(callId);
  }
}
