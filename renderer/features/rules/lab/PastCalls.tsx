import { useState } from 'react';
import type { PastCall } from '#shared/api/history';
import { host } from '../../../host/client';
import { TextField } from '../../../ui/TextField';
import { VisibleText } from '../../../ui/VisibleText';
import { useNow } from '../../frame/useNow';
import { age, counted } from '../../frame/words';
import { useLab, useStaged } from './lab';
import { useAnswer } from './useAnswer';

/** Equal calls are one line, so more are asked for than are shown. */
const asked = 200;
const shown = 40;
const settleMs = 150;

/** Past calls with a search, to pick one. */
export function PastCalls({ onPick }: { readonly onPick: (call: PastCall) => void }) {
  const { sessionId } = useStaged();
  const where = useLab((lab) => lab.where);
  const [text, setText] = useState('');
  const now = useNow(60_000);
  const { value, problem } = useAnswer({
    key: sessionId === null ? null : JSON.stringify([sessionId, where, text]),
    settleMs,
    ask: () =>
      host().call('history.calls', {
        scope: { sessionId: sessionId ?? '', where, days: 365 },
        text,
        offset: 0,
        limit: asked,
      }),
  });
  return (
    <div className="flex flex-col gap-2">
      <TextField
        label="Search past calls"
        hideLabel
        type="search"
        placeholder="Search past calls: command, path, tool"
        value={text}
        onChange={setText}
      />
      {problem === '' ? null : <p className="text-deny text-small">{problem}</p>}
      {value === null ? null : value.calls.length === 0 ? (
        <p className="text-muted text-small">
          {text === '' ? 'No calls are known yet.' : 'No past call has that in its command, path or tool.'}
        </p>
      ) : (
        <>
          <ul aria-label="Past calls" className="max-h-60 overflow-y-auto rounded-control border border-line">
            {distinct(value.calls).map(({ call, times }) => (
              <li key={call.id} className="border-line border-b last:border-b-0">
                <button
                  type="button"
                  onClick={() => onPick(call)}
                  className="flex w-full min-w-0 items-baseline gap-2 px-2.5 py-1.5 text-left -outline-offset-2 hover:bg-hover"
                >
                  <span className="w-18 shrink-0 truncate text-muted text-small">{call.tool}</span>
                  <code className="min-w-0 flex-1 truncate font-mono text-mono" title={call.title}>
                    <VisibleText text={call.title} />
                  </code>
                  {times === 1 ? null : <span className="shrink-0 text-muted text-small">{times}×</span>}
                  <span className="shrink-0 text-dim text-small">{age(call.at, now)}</span>
                </button>
              </li>
            ))}
          </ul>
          {value.inAll > value.calls.length ? (
            <p className="text-dim text-small">
              From the newest {value.calls.length} of {counted(value.inAll, 'call')}. Search to find others.
            </p>
          ) : null}
        </>
      )}
    </div>
  );
}

/** Equal calls once, where they were made last, with how often they come. */
function distinct(calls: readonly PastCall[]): readonly { readonly call: PastCall; readonly times: number }[] {
  const found = new Map<string, { readonly call: PastCall; readonly times: number }>();
  for (const call of calls) {
    const key = JSON.stringify([call.tool, call.cwd, call.input]);
    const known = found.get(key);
    found.set(key, known === undefined ? { call, times: 1 } : { call: known.call, times: known.times + 1 });
  }
  return [...found.values()].slice(0, shown);
}
