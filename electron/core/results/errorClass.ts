import { ToolFailure } from '../tools/tool';

/** A stable name for an error, without paths or code in it (spec 2.3). */
export function errorClass(error: unknown): string {
  if (!(error instanceof Error)) return 'UnknownError';
  if (error instanceof ToolFailure) return `ToolFailure:${error.kind}`;
  if ('code' in error && typeof error.code === 'string' && /^E[A-Z0-9_]{2,30}$/.test(error.code)) {
    return `Error:${error.code}`;
  }
  return error.name.length > 3 && /^[A-Za-z0-9_]{1,60}$/.test(error.name) ? error.name : 'Error';
}
