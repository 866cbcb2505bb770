import type { View } from '#shared/tools/presentation';
import type { AnyTool, ValidationContext } from '../tools/tool';
import { failed, type StepEnd, toolUseError } from './step';

export interface Validated {
  /** The tool wants the person to decide, with this explanation. */
  readonly ask: string | null;
  /** A better picture of the call than its bare input, such as a diff. */
  readonly view: View | undefined;
}

/** Step 3: what only the tool can check, before anybody is asked for anything. */
export async function validate(options: {
  readonly tool: AnyTool;
  readonly input: unknown;
  readonly context: ValidationContext;
}): Promise<StepEnd<Validated>> {
  const result = await options.tool.validateInput(options.input, options.context);
  if (result.verdict === 'reject') {
    const text = toolUseError(result.message);
    return {
      outcome: 'stopped',
      note: result.errorCode,
      output: { verdict: 'reject', errorCode: result.errorCode, message: result.message.slice(0, 1_000) },
      end: failed({
        failure: 'validation',
        text,
        note: result.errorCode,
        view: { kind: 'text', text: result.message },
      }),
    };
  }
  const ask = result.verdict === 'ask' ? result.message : null;
  return {
    outcome: 'passed',
    note: ask === null ? 'ok' : 'asks you',
    output: { verdict: result.verdict, ...(ask === null ? {} : { message: ask.slice(0, 1_000) }) },
    value: { ask, view: result.view },
  };
}
