import type { ToolCall } from '#shared/session/toolCall';
import { Tooltip } from '../../../ui/Tooltip';
import { describeTrack, type SegmentState, trackOf } from './track';

/** Colour and height: what needs attention is taller, so that colour is not the only sign. */
const looks: Readonly<Record<SegmentState, string>> = {
  passed: 'h-1 bg-allow',
  skipped: 'h-1 bg-allow/45',
  touched: 'h-1.5 bg-hook',
  waiting: 'h-2 bg-ask breathing',
  stopped: 'h-2 bg-deny',
  running: 'h-1.5 bg-accent breathing',
  notReached: 'h-1 bg-segment',
};

/** Seven segments, one for each step of a call; opens the trace. */
export function StepTrack({ call, onOpen }: { readonly call: ToolCall; readonly onOpen: () => void }) {
  const segments = trackOf(call);
  const words = describeTrack(segments);
  return (
    <Tooltip text={words}>
      <button
        type="button"
        onClick={onOpen}
        aria-label={`Open trace: ${words}`}
        className="flex h-6 shrink-0 items-center gap-[3px] rounded-small px-1.5 hover:bg-hover"
      >
        {segments.map(({ step, state, failedHooks }) => (
          <span
            key={step}
            data-step={step}
            data-state={state}
            className={`relative w-3.5 rounded-full forced-colors:border ${looks[state]}`}
          >
            {failedHooks > 0 && <HookFailed />}
          </span>
        ))}
      </button>
    </Tooltip>
  );
}

/** A triangle above the segment: a hook of the step could not do its work. */
function HookFailed() {
  return (
    <svg
      aria-hidden="true"
      data-mark="hookFailed"
      viewBox="0 0 6 5"
      className="absolute bottom-full left-1/2 mb-[2px] h-[5px] w-1.5 -translate-x-1/2 fill-deny"
    >
      <path d="M3 0L6 5H0z" />
    </svg>
  );
}
