import { fail, ok, type Result } from '#shared/util/result';

/** What `parse` makes of the words behind a verb; one that it does not take is an error for people. */
export function takeWords<Given>(parse: (args: readonly string[]) => Given, args: readonly string[]): Result<Given> {
  try {
    return ok(parse(args));
  } catch (error) {
    // The only kind that `parseArgs` throws for words.
    if (error instanceof TypeError) return fail(error.message);
    throw error;
  }
}
