import type { CallPlace } from '../tool';

/** A place for tests; the folders do not exist. */
export const samplePlace: CallPlace = {
  sessionId: 'session-1',
  callId: 'call-1',
  folder: '/srv/app',
  cwd: '/srv/app',
  home: '/home/ada',
};
