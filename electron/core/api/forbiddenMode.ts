import { permissionModes } from '#shared/permissions/modes';
import type { ApiServices } from './services';

/** A session may have been left in a mode that this start, or a settings file, does not offer: it leaves it and says so. */
export function leaveForbiddenMode(services: Pick<ApiServices, 'engine' | 'sessions'>, sessionId: string): void {
  const { engine, sessions } = services;
  const { mode } = sessions.state(sessionId);
  const { available, reason } = engine.modeAvailable(mode, sessionId);
  if (available) return;
  sessions.append(sessionId, { type: 'mode.changed', mode: 'default' });
  sessions.append(sessionId, {
    type: 'notice',
    level: 'warning',
    text: `The session left ${permissionModes[mode].label} mode. ${reason}`,
    next: 'It goes on in the default mode; choose another one below.',
  });
}
