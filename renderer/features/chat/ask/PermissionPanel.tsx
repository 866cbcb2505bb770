import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react';
import { permissionModes } from '#shared/permissions/modes';
import type { AskAnswer, PermissionAsk } from '#shared/session/ask';
import { keyNames } from '../../../ui/keyNames';
import { VisibleText } from '../../../ui/VisibleText';
import { homePath } from '../../frame/words';
import { VerdictLine } from '../cards/VerdictLine';
import { verdictOfDecision } from '../cards/verdict';
import { ScrollBox } from '../views/ScrollBox';
import { AlwaysStep } from './AlwaysStep';
import { ArmedButton } from './ArmedButton';
import { AskBody } from './AskBody';
import { AskFrame, type QueuePlace } from './AskFrame';
import type { AnswerOutcome } from './answering';
import { askChord } from './askKeys';
import type { AskStudy } from './askStudy';
import { DenyStep } from './DenyStep';
import { isTextEntry } from './isTextEntry';
import type { PreviewRule } from './RulePreview';
import { useArmed } from './useArmed';
import { useSeenToEnd } from './useSeenToEnd';

export interface PermissionPanelProps {
  readonly ask: PermissionAsk;
  readonly queue: QueuePlace;
  readonly armDelayMs: number;
  readonly home: string;
  readonly onAnswer: (answer: AskAnswer) => Promise<AnswerOutcome>;
  readonly onPreview: PreviewRule;
  readonly study?: AskStudy | undefined;
}

type Step = 'choose' | 'deny' | 'always';

/** Line height of what is approved; the counter of lines rests on it. */
const lineHeightPx = 18;

/** One permission ask. Mount it with the ask's id as key: no state may pass from one ask to the next. */
export function PermissionPanel(props: PermissionPanelProps) {
  const { ask, queue, armDelayMs, home, onAnswer, onPreview, study } = props;
  const panel = useRef<HTMLElement>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const [step, setStep] = useState<Step>('choose');
  const [sending, setSending] = useState(false);
  const seenId = useId();
  const content = JSON.stringify(ask);
  const seen = useSeenToEnd(scroller, { content, lineHeightPx });
  const arming = useArmed(`${step}:${content}`, armDelayMs);
  const unseen = seen.toEnd ? '' : 'Scroll to the end first: part of this call has not been on screen.';
  const blocked = sending ? 'The answer is on its way.' : '';

  const answer = (given: AskAnswer) => {
    if (sending) return;
    setSending(true);
    void onAnswer(given).then((outcome) => {
      // An ask that was answered goes away with its component; only a failure leaves it here.
      if (outcome === 'failed') setSending(false);
    });
  };
  const turnTo = (next: Step) => {
    setStep(next);
    // The button that was pressed is gone; the keyboard stays in the ask.
    panel.current?.focus({ preventScroll: true });
  };
  const approvals = approvalsOf(ask);
  const always = () => {
    if (ask.suggestions.length > 0) turnTo('always');
  };

  const onKeyDown = (event: KeyboardEvent) => {
    const chord = askChord({ ...keyOf(event), isComposing: event.nativeEvent.isComposing });
    if (chord === null) return;
    if (chord === 'denyOnce' && step !== 'choose') {
      event.preventDefault();
      turnTo('choose');
      return;
    }
    // In a text field these keys edit text.
    if (chord === 'deny' && isTextEntry(event.target)) return;
    event.preventDefault();
    event.stopPropagation();
    if (step !== 'choose' || !arming.armed || blocked !== '') return;
    if (chord === 'deny' || chord === 'denyOnce') answer({ kind: 'deny' });
    else if (unseen === '') {
      if (chord === 'allowOnce') answer(approvals[0]?.answer ?? { kind: 'allowOnce' });
      else always();
    }
  };

  const changesMode = ask.modes !== undefined;
  const verdict = verdictOfDecision({ behavior: 'ask', reason: ask.reason, parts: ask.parts });
  const partsWord = ask.parts.length > 1 ? ` ${ask.parts.length} parts.` : '';
  return (
    <AskFrame
      name={`Permission required: ${ask.toolName}`}
      description={`${ask.sandbox.outside === undefined ? '' : 'Outside of the sandbox: '}${firstLine(ask)}.${partsWord}`}
      title={ask.title}
      circumstances={<Circumstances ask={ask} home={home} />}
      queue={queue}
      panel={panel}
      onKeyDown={onKeyDown}
    >
      <div className="px-3.5 pb-2">
        {/* Where the way out of the sandbox is what is asked about, the warning below says so. */}
        {ask.sandbox.outside === 'wanted' && isAboutSandbox(ask) ? null : <VerdictLine verdict={verdict} bare />}
        {ask.classifier !== undefined && (
          <p className="mt-0.5 text-muted text-small [overflow-wrap:anywhere]">
            <span className="mr-1.5">The classifier:</span>
            <VisibleText text={ask.classifier} />
          </p>
        )}
      </div>
      <ScrollBox
        ref={scroller}
        onScroll={seen.onScroll}
        label="What is asked for"
        className={`shrink-0 overflow-y-auto px-3.5 pb-1 ${step === 'always' ? 'chat-ask-body-small' : 'chat-ask-body'}`}
      >
        <AskBody ask={ask} />
      </ScrollBox>
      {seen.overflows && !(seen.toEnd && step === 'always') && (
        <p id={seenId} aria-live="polite" className="px-3.5 pt-1.5 text-muted text-small">
          {seen.linesShown} of {seen.lines} lines shown
          {!seen.toEnd && <span className="text-ask"> · scroll to the end before you allow this</span>}
        </p>
      )}
      {step === 'choose' && (
        <Buttons>
          <ArmedButton
            arming={arming}
            armDelayMs={armDelayMs}
            blocked={blocked}
            keys="Mod+Backspace"
            onPress={() => turnTo('deny')}
          >
            {changesMode ? keepPlanning : 'Deny'}
          </ArmedButton>
          {approvals.map((approval, index) => (
            <ArmedButton
              key={approval.label}
              arming={arming}
              armDelayMs={armDelayMs}
              blocked={blocked || unseen}
              {...(index === 0 ? { keys: 'Mod+Enter' } : {})}
              {...(approval.meaning === '' ? {} : { title: approval.meaning })}
              onPress={() => answer(approval.answer)}
            >
              {approval.label}
            </ArmedButton>
          ))}
          {!changesMode && (
            <ArmedButton
              arming={arming}
              armDelayMs={armDelayMs}
              blocked={blocked || unseen || noSuggestions(ask)}
              title={keyNames('Mod+Shift+Enter').join(' ')}
              onPress={always}
            >
              Always allow…
            </ArmedButton>
          )}
          {!changesMode && ask.suggestions.length === 0 && (
            <p className="min-w-0 flex-1 basis-48 text-muted text-small">{noSuggestions(ask)}</p>
          )}
        </Buttons>
      )}
      {step === 'deny' && (
        <DenyStep
          arming={arming}
          armDelayMs={armDelayMs}
          blocked={blocked}
          {...(changesMode ? { label: keepPlanning } : {})}
          onDeny={(words) => answer(words === '' ? { kind: 'deny' } : { kind: 'deny', words })}
          onBack={() => turnTo('choose')}
        />
      )}
      {step === 'always' && (
        <AlwaysStep
          ask={ask}
          armDelayMs={armDelayMs}
          blocked={blocked || unseen}
          onPreview={onPreview}
          study={study}
          onSave={({ rules, ...where }) => answer({ kind: 'allowAlways', rules: [...rules], ...where })}
          onBack={() => turnTo('choose')}
        />
      )}
    </AskFrame>
  );
}

function Buttons({ children }: { readonly children: ReactNode }) {
  return <div className="flex flex-wrap items-center gap-2 px-3.5 pt-2 pb-3">{children}</div>;
}

const keepPlanning = 'Keep planning';

interface Approval {
  readonly label: string;
  /** What it means for the calls that follow; empty where it concerns this call alone. */
  readonly meaning: string;
  readonly answer: AskAnswer;
}

/** The ways to say yes: one for each mode that the session may go on in, or the plain one. */
function approvalsOf({ modes = [] }: PermissionAsk): readonly Approval[] {
  if (modes.length === 0) return [{ label: 'Allow once', meaning: '', answer: { kind: 'allowOnce' } }];
  return modes.map((mode) => ({
    label: mode === 'default' ? 'Approve, ask before changes' : `Approve, ${permissionModes[mode].label.toLowerCase()}`,
    meaning: permissionModes[mode].meaning,
    answer: { kind: 'allowOnce', mode },
  }));
}

function Circumstances({ ask, home }: { readonly ask: PermissionAsk; readonly home: string }) {
  const { sandbox } = ask;
  const network = sandbox.network ? ', network on' : ', network off';
  const outside = sandbox.outside !== undefined;
  const pieces = [
    ask.agent === null ? '' : `asked by ${ask.agent}`,
    `in ${homePath(ask.cwd, home)}`,
    outside ? '' : sandbox.active ? `sandbox on${network}` : 'no sandbox',
    `${permissionModes[ask.mode].label} mode`,
  ];
  return (
    <span title={sandbox.active ? ask.cwd : `${ask.cwd}\n${sandbox.reason}`}>
      {outside && <strong className="font-semibold text-deny">outside of the sandbox · </strong>}
      {pieces.filter((piece) => piece !== '').join(' · ')}
    </span>
  );
}

function noSuggestions(ask: PermissionAsk): string {
  if (ask.suggestions.length > 0) return '';
  return ask.noSuggestions ?? 'No rule can stand for this call.';
}

function isAboutSandbox({ reason }: PermissionAsk): boolean {
  return reason.type === 'safety' && reason.check === 'outsideSandbox';
}

function firstLine(ask: PermissionAsk): string {
  const text = ask.view.kind === 'terminal' ? ask.view.command : ask.view.kind === 'diff' ? ask.view.path : ask.title;
  return text.split('\n')[0] ?? '';
}

function keyOf(event: KeyboardEvent) {
  const { key, code, keyCode, shiftKey, ctrlKey, metaKey, altKey, repeat } = event;
  return { key, code, keyCode, shiftKey, ctrlKey, metaKey, altKey, repeat };
}
