import { z } from 'zod';

/** Any JSON value; what models send as tool input. */
export const JsonValue = z.json();
export type JsonValue = z.infer<typeof JsonValue>;
