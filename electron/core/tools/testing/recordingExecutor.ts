// Stand-ins for what a call is given: they record what a tool asks for and answer from a script.
import type { Operation, OperationAnswers, OperationName, OperationOf, SandboxPolicy } from '#shared/api/executor';
import type { Question } from '#shared/session/ask';
import type { Todo } from '#shared/session/events';
import { isLocalHost } from '#shared/web/address';
import type { OutputCapture, OutputOutcome } from '../../executor/output';
import { FileStates } from '../fileStates';
import type { CallContext, GrantedExecutor, Inspector, QuestionAnswers, ValidationContext } from '../tool';
import { noTasks } from './noTasks';
import { samplePlace } from './samplePlace';

type Command = Parameters<GrantedExecutor['start']>[0];
type Code = Parameters<GrantedExecutor['startCode']>[0];

type Answers = { readonly [N in OperationName]?: (operation: OperationOf<N>) => OperationAnswers[N] };

/** Answers by operation, to the command, to questions; what is asked without an answer is an error of the test. */
export interface Script extends Omit<Answers, 'shell.run' | 'repl.run'> {
  readonly shell?: { readonly result: OperationAnswers['shell.run']; readonly capture: OutputCapture };
  readonly code?: { readonly result: OperationAnswers['repl.run']; readonly capture: OutputCapture };
  readonly answers?: QuestionAnswers;
}

export interface Recording {
  readonly context: CallContext;
  readonly validation: ValidationContext;
  readonly fileStates: FileStates;
  /** In the order in which they came; dry runs of validation too. */
  readonly operations: Operation[];
  readonly commands: Command[];
  readonly codes: Code[];
  readonly questions: Question[][];
  readonly todos: Todo[][];
}

const confined: SandboxPolicy = { enabled: true, network: 'off', writable: [], hidden: [] };

/** A call's surroundings at `samplePlace` that play `script`. */
export function recordCall(script: Script = {}): Recording {
  const fileStates = new FileStates();
  const operations: Operation[] = [];
  const commands: Command[] = [];
  const codes: Code[] = [];
  const questions: Question[][] = [];
  const todos: Todo[][] = [];
  const answers: Answers = script;
  const play = async <N extends OperationName>(operation: OperationOf<N>): Promise<OperationAnswers[N]> => {
    operations.push(operation);
    const answer = answers[operation.op as N];
    if (answer === undefined) throw new Error(`The script has no answer to ${operation.op}.`);
    return answer(operation);
  };
  const inspect: Inspector = {
    stat: (path) => play<'file.stat'>({ op: 'file.stat', path }),
    preview: (operation) => play<'file.edit' | 'file.write' | 'file.editCell'>(operation),
  };
  const executor: GrantedExecutor = {
    run: play,
    mayReachPrivate: isLocalHost,
    async start(command) {
      commands.push(command);
      if (script.shell === undefined) throw new Error('The script has no answer to a command.');
      const { result, capture } = script.shell;
      return { capture, ended: Promise.resolve(result), stop: () => undefined, detach: () => undefined };
    },
    async startCode(code) {
      codes.push(code);
      if (script.code === undefined) throw new Error('The script has no answer to code.');
      const { result, capture } = script.code;
      return { capture, ended: Promise.resolve(result) };
    },
    askLanguageServer: (question) => play<'lsp.query'>({ op: 'lsp.query', ...question, sandbox: confined }),
  };
  const context: CallContext = {
    ...samplePlace,
    executor,
    fileStates,
    inspect,
    signal: new AbortController().signal,
    async askPerson(asked) {
      questions.push([...asked]);
      if (script.answers === undefined) throw new Error('The script has no answer to questions.');
      return script.answers;
    },
    setTodos(list) {
      todos.push([...list]);
    },
    setCwd: () => undefined,
    tasks: noTasks,
    outputFile: () => Promise.resolve(null),
    onProgress: () => undefined,
  };
  return {
    context,
    validation: { ...samplePlace, fileStates, inspect },
    fileStates,
    operations,
    commands,
    codes,
    questions,
    todos,
  };
}

/** A finished command's output; `plain` cuts at the end. */
export function captured(text: string, terminal = text, outcome: Partial<OutputOutcome> = {}): OutputCapture {
  return {
    totalChars: terminal.length,
    terminal: () => ({ text: terminal, hiddenChars: 0 }),
    plain: (maxChars) => text.slice(0, maxChars),
    plainSince: (fromChar, maxChars) => {
      const start = Math.max(Math.min(fromChar, text.length), text.length - maxChars);
      return { text: text.slice(start), skippedChars: Math.max(0, start - fromChar), nextChar: text.length };
    },
    onChange: () => () => undefined,
    outcome: { written: null, image: null, notices: [], full: false, ...outcome },
  };
}
