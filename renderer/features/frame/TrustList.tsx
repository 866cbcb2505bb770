import type { ReactNode } from 'react';
import type { Brought, TrustView } from '#shared/api/permissions';
import { ruleSources } from '#shared/permissions/sources';
import type { WaitingServer } from '../../stores/waitingServers';
import { Badge } from '../../ui/Badge';
import { VisibleText } from '../../ui/VisibleText';
import { counted } from './words';

/** More than so many of one kind are counted: nobody reads ten thousand. */
const mostShown = 500;

/** All that a folder would do, by kind. */
export function TrustList({
  trust,
  files,
  servers,
}: {
  readonly trust: TrustView;
  readonly files: readonly string[];
  readonly servers: readonly WaitingServer[];
}) {
  const { waitingRules, waitingDirectories, waitingMore, freshTexts, folder } = trust;
  const of = (...kinds: readonly Brought['kind'][]) => waitingMore.filter(({ kind }) => kinds.includes(kind));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a long list must be scrolled by keyboard too
    <section tabIndex={0} aria-label="What the folder would do" className="flex flex-col gap-4 rounded-small">
      <Kind
        label="Rules that wait"
        title="Would run without asking"
        of={waitingRules}
        fresh={({ text }) => freshTexts.includes(text)}
      >
        {(rule) => (
          <Thing
            key={`${rule.source} ${rule.line ?? 0} ${rule.text}`}
            text={rule.text}
            note={placeOf(rule.source, rule.line ?? null)}
            fresh={freshTexts.includes(rule.text)}
          />
        )}
      </Kind>
      <Kind
        label="Hooks that wait"
        title="Would run by themselves, outside the sandbox"
        of={of('hook')}
        fresh={isFresh}
      >
        {(hook, at) => (
          <Thing
            key={`${hook.source} ${hook.line ?? 0} ${at}`}
            text={hook.text.slice(hook.text.indexOf(': ') + 2)}
            note={`hook for ${hook.text.slice(0, hook.text.indexOf(': '))}${hook.line === null ? '' : `, line ${hook.line}`}`}
            fresh={hook.fresh}
          />
        )}
      </Kind>
      <Kind label="Servers that wait" title="Could be started, each after a word of yours" of={servers}>
        {(server) => <Thing key={server.name} text={server.target} note={server.name} fresh={false} />}
      </Kind>
      <Kind label="Openings that wait" title="Would open the sandbox" of={of('sandbox')} fresh={isFresh}>
        {(one, at) => (
          <Thing key={`${one.text} ${at}`} text={one.text} note={placeOf(one.source, one.line)} fresh={one.fresh} />
        )}
      </Kind>
      <Kind label="Settings that wait" title="Would change how sessions work here" of={of('mode', 'switch')}>
        {(one) => <Thing key={one.text} text={one.text} note={placeOf(one.source, one.line)} fresh={one.fresh} />}
      </Kind>
      <Kind label="Folders that wait" title="Would become working folders" of={[...new Set(waitingDirectories)]}>
        {(directory) => <Thing key={directory} text={directory} note="" fresh={freshTexts.includes(directory)} />}
      </Kind>
      <Kind
        label="Files that wait"
        title="Would be read as instructions; commands, skills and agents bring rules and hooks of their own"
        of={files}
        fresh={(file) => freshTexts.includes(file)}
      >
        {(file) => (
          <Thing
            key={file}
            text={file.startsWith(`${folder}/`) ? file.slice(folder.length + 1) : file}
            note=""
            fresh={freshTexts.includes(file)}
          />
        )}
      </Kind>
      <Kind label="Settings that are never used" title="Never has an effect here, trusted or not" of={of('unused')}>
        {(one) => <Thing key={one.text} text={one.text} note={placeOf(one.source, one.line)} fresh={false} />}
      </Kind>
    </section>
  );
}

const isFresh = ({ fresh }: Brought): boolean => fresh;

function placeOf(source: Brought['source'], line: number | null): string {
  return `${ruleSources[source].label}${line === null ? '' : `, line ${line}`}`;
}

function Kind<T>({
  label,
  title,
  of,
  fresh = () => false,
  children,
}: {
  readonly label: string;
  readonly title: string;
  readonly of: readonly T[];
  readonly fresh?: (one: T) => boolean;
  readonly children: (one: T, at: number) => ReactNode;
}) {
  if (of.length === 0) return null;
  // What is new comes first, so that no crowd hides it.
  const shown = [...of.filter(fresh), ...of.filter((one) => !fresh(one))];
  const more = of.length - mostShown;
  return (
    <section aria-label={label}>
      <h3 className="mb-1.5 text-head font-semibold text-muted">{title}</h3>
      <ul className="flex flex-col gap-1.5">
        {shown.slice(0, mostShown).map(children)}
        {more > 0 ? <li className="text-small text-muted">and {counted(more, 'more', 'more')}</li> : null}
      </ul>
    </section>
  );
}

function Thing({ text, note, fresh }: { readonly text: string; readonly note: string; readonly fresh: boolean }) {
  return (
    <li className="break-words">
      {fresh ? (
        <>
          <Badge tone="ask">new</Badge>{' '}
        </>
      ) : null}
      <code className="whitespace-pre-wrap break-all font-mono text-mono">
        <VisibleText text={text} />
      </code>
      {note === '' ? null : (
        <>
          {' '}
          <span className="text-small text-muted">
            <VisibleText text={note} />
          </span>
        </>
      )}
    </li>
  );
}
