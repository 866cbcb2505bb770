import type { CallPlace } from '../tool';

/** A place for tests; the folders do not exist. */
export const samplePlace: CallPlace = {
  sessionId: 'session-1',
  callId: 'call-1',
  folder: '/work/app',
  cwd: '/work/app',
  home: '/home/ada',
};
