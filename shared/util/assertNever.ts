/** Makes a switch exhaustive at compile time; at run time it means a bug. */
export function assertNever(value: never, what: string): never {
  throw new Error(`Unexpected ${what}: ${JSON.stringify(value)}`);
}
