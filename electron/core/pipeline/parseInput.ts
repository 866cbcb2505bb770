import { canonicalJson } from '#shared/util/canonicalJson';
import { formatInputError } from '../tools/inputError';
import type { AnyTool } from '../tools/tool';
import { failed, type StepEnd, toolUseError } from './step';
import { traced } from './traced';

/** Step 2: the tool's own schema, with its coercions. Nothing invalid ever reaches an ask. */
export function parseInput(options: {
  readonly tool: AnyTool;
  readonly input: unknown;
  /** The model's output limit cut the input off; such a call never runs. */
  readonly cutOff: boolean;
}): StepEnd<unknown> {
  const { tool, input } = options;
  if (options.cutOff) {
    const text = toolUseError(
      'The input of this call was cut off before it was whole, so it was not run. Call the tool again, with a shorter input if this was long.',
    );
    return {
      outcome: 'stopped',
      note: 'the input was cut off',
      end: failed({ failure: 'input', text, note: 'input cut off, not run' }),
    };
  }
  const parsed = tool.inputSchema().safeParse(input);
  if (parsed.success) {
    const fields = Object.keys(parsed.data as object).length;
    const note = `valid, ${fields} field${fields === 1 ? '' : 's'}`;
    // Shown only where the schema has taken something for what it means, or filled something in.
    const read = traced(parsed.data);
    const same = canonicalJson(read) === canonicalJson(traced(input));
    return { outcome: 'passed', note, value: parsed.data, ...(same ? {} : { output: read }) };
  }
  const text = formatInputError(parsed.error, input);
  return { outcome: 'stopped', note: 'invalid input', end: failed({ failure: 'input', text, note: 'invalid input' }) };
}
