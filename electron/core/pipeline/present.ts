import type { CallPresentation, View } from '#shared/tools/presentation';
import type { AnyTool, CallPlace } from '../tools/tool';

/** The card before anything is known but the name. */
export function presentUnknown(name: string): CallPresentation {
  return { title: name, summary: '', activity: `Calling ${name}`, icon: 'tool' };
}

/** The card once the input has passed its schema. `view` replaces the tool's own picture of its use. */
export function present(options: {
  readonly tool: AnyTool;
  readonly input: unknown;
  readonly place: CallPlace;
  readonly view?: View | undefined;
}): CallPresentation {
  const { tool, input, place } = options;
  const path = tool.getPath(input, place);
  return {
    title: tool.userFacingName(input),
    summary: tool.getToolUseSummary(input, place),
    activity: tool.getActivityDescription(input, place),
    icon: tool.icon,
    ...(path === null ? {} : { path }),
    view: options.view ?? tool.renderUse(input, place),
  };
}
