import { Check } from 'lucide-react';
import { type KeyboardEvent, useId, useRef, useState } from 'react';
import type { AskAnswer, Question, QuestionAsk } from '#shared/session/ask';
import { ArmedButton } from './ArmedButton';
import { AskFrame, type QueuePlace } from './AskFrame';
import type { AnswerOutcome } from './answering';
import { askChord } from './askKeys';
import { DenyStep } from './DenyStep';
import { isTextEntry } from './isTextEntry';
import { answersOf, choose, inOwnWords, noChoice, type QuestionChoice } from './questionAnswers';
import { useArmed } from './useArmed';

interface Props {
  readonly ask: QuestionAsk;
  readonly queue: QueuePlace;
  readonly armDelayMs: number;
  readonly onAnswer: (answer: AskAnswer) => Promise<AnswerOutcome>;
}

/** Questions of the model: choose, write, or decline. Mount it with the ask's id as key. */
export function QuestionPanel({ ask, queue, armDelayMs, onAnswer }: Props) {
  const panel = useRef<HTMLElement>(null);
  const [choices, setChoices] = useState<Readonly<Record<string, QuestionChoice>>>({});
  const [declining, setDeclining] = useState(false);
  const [sending, setSending] = useState(false);
  const arming = useArmed(`${declining}:${ask.askId}`, armDelayMs);
  const answers = answersOf(ask.questions, choices);
  const blocked = sending ? 'The answer is on its way.' : '';
  const incomplete = answers === null ? 'Answer every question first, or decline.' : '';

  const answer = (given: AskAnswer) => {
    if (sending) return;
    setSending(true);
    void onAnswer(given).then((outcome) => {
      if (outcome === 'failed') setSending(false);
    });
  };
  const send = () => {
    if (answers !== null) answer({ kind: 'answers', answers });
  };
  const turnTo = (next: boolean) => {
    setDeclining(next);
    panel.current?.focus({ preventScroll: true });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const { key, code, keyCode, shiftKey, ctrlKey, metaKey, altKey, repeat } = event;
    const { isComposing } = event.nativeEvent;
    const chord = askChord({ key, code, keyCode, shiftKey, ctrlKey, metaKey, altKey, repeat, isComposing });
    if (chord === null || chord === 'always') return;
    if (chord === 'denyOnce' && declining) {
      event.preventDefault();
      turnTo(false);
      return;
    }
    if (chord === 'deny' && isTextEntry(event.target)) return;
    event.preventDefault();
    event.stopPropagation();
    if (declining || !arming.armed || blocked !== '') return;
    if (chord === 'allowOnce') send();
    else answer({ kind: 'deny' });
  };

  const first = ask.questions[0]?.question ?? '';
  return (
    <AskFrame
      name="The model has a question"
      description={first}
      title={ask.questions.length === 1 ? 'The model asks' : `The model asks ${ask.questions.length} questions`}
      circumstances=""
      queue={queue}
      panel={panel}
      onKeyDown={onKeyDown}
    >
      <div className="flex min-h-0 flex-col gap-4 overflow-y-auto px-3.5 pb-1 chat-ask-body">
        {ask.questions.map((question) => (
          <QuestionField
            key={question.question}
            question={question}
            choice={choices[question.question] ?? noChoice}
            onChange={(choice) => setChoices({ ...choices, [question.question]: choice })}
          />
        ))}
      </div>
      {declining ? (
        <DenyStep
          arming={arming}
          armDelayMs={armDelayMs}
          blocked={blocked}
          label="Decline"
          onDeny={(words) => answer(words === '' ? { kind: 'deny' } : { kind: 'deny', words })}
          onBack={() => turnTo(false)}
        />
      ) : (
        <div className="flex flex-wrap items-center gap-2 px-3.5 pt-3 pb-3">
          <ArmedButton
            arming={arming}
            armDelayMs={armDelayMs}
            blocked={blocked}
            keys="Mod+Backspace"
            onPress={() => turnTo(true)}
          >
            Decline
          </ArmedButton>
          <ArmedButton
            variant="primary"
            arming={arming}
            armDelayMs={armDelayMs}
            blocked={blocked || incomplete}
            keys="Mod+Enter"
            onPress={send}
          >
            Answer
          </ArmedButton>
        </div>
      )}
    </AskFrame>
  );
}

interface FieldProps {
  readonly question: Question;
  readonly choice: QuestionChoice;
  readonly onChange: (choice: QuestionChoice) => void;
}

function QuestionField({ question, choice, onChange }: FieldProps) {
  const name = useId();
  const shown = question.options.find((option) => choice.labels.includes(option.label) && option.preview !== undefined);
  return (
    <fieldset className="min-w-0">
      <legend className="pb-2">
        {question.header !== '' && (
          <span className="mr-2 rounded-small bg-accent-tint px-1.5 py-0.5 font-semibold text-accent text-head">
            {question.header}
          </span>
        )}
        <span className="text-conversation">{question.question}</span>
        {question.multiSelect && <span className="text-muted text-small"> Choose any number.</span>}
      </legend>
      <div className="grid gap-1.5 sidebar:grid-cols-2">
        {question.options.map((option) => (
          <label
            key={option.label}
            className="flex items-start gap-2.5 rounded-control border border-line-strong px-3 py-2 hover:bg-hover has-checked:border-accent has-checked:bg-accent-tint has-focus-visible:outline-2 has-focus-visible:outline-accent"
          >
            <input
              type={question.multiSelect ? 'checkbox' : 'radio'}
              name={name}
              checked={choice.labels.includes(option.label)}
              onChange={() => onChange(choose(question, choice, option.label))}
              className="peer sr-only"
            />
            <span
              aria-hidden="true"
              className={`mt-0.5 grid size-4 shrink-0 place-items-center border border-control text-transparent peer-checked:border-accent peer-checked:bg-accent-fill peer-checked:text-on-accent ${question.multiSelect ? 'rounded-[4px]' : 'rounded-full'}`}
            >
              <Check size={12} strokeWidth={3} />
            </span>
            <span className="min-w-0">
              <span className="block font-medium [overflow-wrap:anywhere]">{option.label}</span>
              {option.description !== '' && (
                <span className="block text-muted text-small [overflow-wrap:anywhere]">{option.description}</span>
              )}
            </span>
          </label>
        ))}
      </div>
      {shown?.preview !== undefined && (
        <pre className="chat-verbatim mt-1.5 max-h-48 overflow-y-auto rounded-control border border-line bg-code px-3 py-2 font-mono text-mono">
          {shown.preview}
        </pre>
      )}
      <input
        type="text"
        aria-label={`In your own words: ${question.question}`}
        placeholder="Or in your own words"
        value={choice.own}
        onChange={(event) => onChange(inOwnWords(question, choice, event.target.value))}
        className="mt-1.5 h-8 w-full rounded-control border border-control bg-raised px-2.5 text-ui"
      />
    </fieldset>
  );
}
