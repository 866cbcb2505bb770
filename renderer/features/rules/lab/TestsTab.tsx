import { CircleCheck, CircleX, Pencil, Plus, Trash2 } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { RuleTest, RuleTestResult } from '#shared/api/rules';
import { host } from '../../../host/client';
import { useRulesPage } from '../../../stores/rulesPage';
import { useToasts } from '../../../stores/toasts';
import { Button } from '../../../ui/Button';
import { IconButton } from '../../../ui/IconButton';
import { Skeleton } from '../../../ui/Skeleton';
import { VisibleText } from '../../../ui/VisibleText';
import { Hint } from '../../chat/inspector/Hint';
import { counted } from '../../frame/words';
import { DraftMark } from './DraftMark';
import { useStaged } from './lab';
import { TestForm } from './TestForm';
import { writeTests } from './testActions';
import { useAnswer } from './useAnswer';

const settleMs = 100;

/** The project's tests of its rules, run again with each change. */
export function TestsTab() {
  const { sessionId, draft } = useStaged();
  const [version, setVersion] = useState(0);
  const [edited, setEdited] = useState<number | 'new' | null>(null);
  const preview = useRulesPage((page) => page.preview);
  // Rules that changed on the disk decide otherwise, too.
  useEffect(() => {
    if (preview !== null) setVersion((before) => before + 1);
  }, [preview]);
  const { value, problem } = useAnswer({
    key: sessionId === null ? null : JSON.stringify([sessionId, draft, version]),
    settleMs,
    ask: () => host().call('rules.tests', { sessionId: sessionId ?? '', draft }),
  });
  if (problem !== '')
    return (
      <p role="alert" className="break-words px-4 py-3.5 text-deny">
        {problem}
      </p>
    );
  if (value === null) return <Skeleton label="Running the tests" className="p-4" rows={5} />;
  const { results, file } = value;
  const tests = results.map(({ test }) => test);
  const failed = results.filter(({ passed }) => !passed).length;
  const write = async (next: readonly RuleTest[]): Promise<string> => {
    const said = await writeTests(tests, next);
    setVersion((before) => before + 1);
    return said;
  };
  const remove = async (index: number) => {
    const test = tests[index];
    const said = await write(tests.toSpliced(index, 1));
    if (test === undefined) return;
    useToasts.getState().show(
      said === ''
        ? {
            level: 'info',
            title: 'The test was deleted.',
            text: test.name,
            action: {
              label: 'Undo',
              run: () =>
                void writeTests(tests.toSpliced(index, 1), tests).then(() => setVersion((before) => before + 1)),
            },
          }
        : { level: 'error', title: 'The test was not deleted.', text: said },
    );
  };
  return (
    <div className="flex flex-col gap-3 px-4 py-3.5">
      <div className="flex flex-wrap items-center gap-2">
        <h2 className="min-w-0 flex-1 font-semibold text-title">
          <span role="status">
            {results.length === 0
              ? 'No tests yet'
              : failed === 0
                ? `${counted(results.length, 'test')}, all pass`
                : `${failed} of ${counted(results.length, 'test')} ${failed === 1 ? 'fails' : 'fail'}`}
          </span>
        </h2>
        <Button size="small" icon={Plus} disabled={value.problem !== ''} onClick={() => setEdited('new')}>
          Add test
        </Button>
      </div>
      <DraftMark />
      {value.problem === '' ? null : (
        <p role="alert" className="break-words rounded-control bg-deny-tint px-3 py-2">
          {value.problem}
        </p>
      )}
      {edited === 'new' ? (
        <TestForm test={null} onSave={(test) => write([...tests, test])} onClose={() => setEdited(null)} />
      ) : null}
      {results.length === 0 && edited === null && value.problem === '' ? (
        <Hint title="Say once what must stay so">
          That a push asks, that a secret file is never read. Each change of the rules is checked against it before it
          is saved, here and with gatehouse test. Any call in Try it can become a test.
        </Hint>
      ) : null}
      <ul aria-label="Tests" className="flex flex-col">
        {results.map((result, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: tests may have the same name.
          <li key={index} className="border-line border-b py-2 last:border-b-0">
            {edited === index ? (
              <TestForm
                test={result.test}
                onSave={(test) => write(tests.with(index, test))}
                onClose={() => setEdited(null)}
              />
            ) : (
              <Result result={result} onEdit={() => setEdited(index)} onRemove={() => void remove(index)} />
            )}
          </li>
        ))}
      </ul>
      {results.length === 0 ? null : <p className="break-all font-mono text-dim text-mono">{file}</p>}
    </div>
  );
}

function Result(props: {
  readonly result: RuleTestResult;
  readonly onEdit: () => void;
  readonly onRemove: () => void;
}) {
  const { result, onEdit, onRemove } = props;
  const { test, passed, problem } = result;
  const Icon = passed ? CircleCheck : CircleX;
  return (
    <div className="flex items-start gap-2">
      <Icon
        aria-label={passed ? 'passes' : 'fails'}
        size={16}
        strokeWidth={1.75}
        className={passed ? 'mt-0.5 shrink-0 text-allow' : 'mt-0.5 shrink-0 text-deny'}
      />
      <div className="min-w-0 flex-1 [overflow-wrap:anywhere]">
        <p className="font-medium">
          <VisibleText text={test.name} />
        </p>
        <p className="text-muted text-small">
          {test.kind === 'call' ? (
            <>
              {test.tool} must be {test.expect}
            </>
          ) : (
            <>
              <code className="font-mono text-mono">
                <VisibleText text={test.rule} />
              </code>{' '}
              · {test.match.length} must match, {test.notMatch.length} must not
            </>
          )}
        </p>
        {problem === '' ? null : (
          <p className="text-deny text-small">
            <VisibleText text={problem} />
          </p>
        )}
      </div>
      <IconButton size="small" icon={Pencil} label={`Edit ${test.name}`} onClick={onEdit} />
      <IconButton size="small" icon={Trash2} label={`Delete ${test.name}`} onClick={onRemove} />
    </div>
  );
}
