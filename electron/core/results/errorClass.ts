import { ToolFailure } from '../tools/tool';

/** Plain words: nothing that could be a path, an address or code. */
const safe = /^[A-Za-z][A-Za-z0-9 ,'-]{3,99}$/;

/** A stable name for an error, without paths or code in it (spec 2.3). */
export function errorClass(error: unknown): string {
  if (!(error instanceof Error)) return 'UnknownError';
  // An error may carry a text of its own that is meant to be passed on; it is believed only where it looks like one.
  if ('telemetrySafe' in error && typeof error.telemetrySafe === 'string' && safe.test(error.telemetrySafe))
    return error.telemetrySafe;
  if (error instanceof ToolFailure) return `ToolFailure:${error.kind}`;
  if ('code' in error && typeof error.code === 'string' && /^E[A-Z0-9_]{2,30}$/.test(error.code)) {
    return `Error:${error.code}`;
  }
  return error.name.length > 3 && /^[A-Za-z0-9_]{1,60}$/.test(error.name) ? error.name : 'Error';
}
