// Input that a hook wants instead of the model's: it goes through the same checks again before anything is decided.
import { canonicalJson } from '#shared/util/canonicalJson';
import { JsonValue } from '#shared/util/json';
import { formatInputError } from '../tools/inputError';
import type { ValidationContext } from '../tools/tool';
import type { CallToJudge } from './request';
import { type CallEnd, failed, toolUseError } from './step';
import { type Validated, validate } from './validate';

/** Input that has passed the tool's schema and its own validation. */
export interface CheckedInput {
  readonly input: unknown;
  /** As it came, for people. */
  readonly raw: JsonValue;
  readonly validated: Validated;
}

export type Rewritten =
  | { readonly ok: true; readonly changed: boolean; readonly checked: CheckedInput }
  | { readonly ok: false; readonly end: CallEnd };

/** Steps 2 and 3 for a hook's input. A hook that gives back what it was shown has changed nothing. */
export async function rewrite(options: {
  readonly call: CallToJudge;
  readonly before: CheckedInput;
  readonly update: { readonly value: unknown; readonly hook: string };
  readonly context: ValidationContext;
}): Promise<Rewritten> {
  const { call, before, update, context } = options;
  const { tool, place } = call;
  const json = JsonValue.safeParse(update.value);
  if (!json.success) return invalid(call, update.hook, 'it is not JSON');
  const raw = json.data;
  const shown = [before.raw, JsonValue.safeParse(tool.observableInput(before.input, place)).data];
  const text = canonicalJson(raw);
  if (shown.some((one) => one !== undefined && canonicalJson(one) === text))
    return { ok: true, changed: false, checked: before };
  const parsed = tool.inputSchema().safeParse(raw);
  if (!parsed.success) return invalid(call, update.hook, formatInputError(parsed.error, raw));
  const validated = await validate({ tool, input: parsed.data, context });
  if (validated.outcome === 'stopped')
    return invalid(
      call,
      update.hook,
      validated.end.content.map((block) => ('text' in block ? block.text : '')).join(''),
    );
  return { ok: true, changed: true, checked: { input: parsed.data, raw, validated: validated.value } };
}

/** Neither the hook's input nor the model's runs: the hook may have changed it for a reason. */
function invalid(call: CallToJudge, hook: string, problem: string): Extract<Rewritten, { ok: false }> {
  const lines = [
    `The hook ${hook} changed the input of this call into something that ${call.tool.name} does not take, so it was not run:`,
    problem,
    'Nothing is wrong with your own input. Tell the person that the hook needs mending.',
  ];
  const text = toolUseError(lines.join('\n'));
  const note = `the hook ${hook} made the input invalid`;
  return { ok: false, end: failed({ failure: 'input', text, note }) };
}
