import type { CallPlace, ContextChange } from '../tools/tool';
import type { PipelineServices } from './services';

/** Takes what a call changes for later calls: held back where somebody keeps their order, else it holds at once. */
export function changeContext(services: PipelineServices, place: CallPlace, change: ContextChange): void {
  if (services.changeContext !== undefined) services.changeContext(place, change);
  else if (change.cwd !== undefined) {
    services.sessions.append(place.sessionId, { type: 'cwd.changed', cwd: change.cwd });
  }
}
