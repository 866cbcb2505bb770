import { classes } from '../../ui/classes';

/** What the rehearsal model understands, with what it does. */
const phrases: readonly { readonly say: string; readonly does: string }[] = [
  { say: 'read <file>', does: 'reads it' },
  { say: 'run `<command>`', does: 'runs it in the folder' },
  { say: 'find <text> in <folder>', does: 'searches' },
  { say: 'list <pattern>', does: 'lists matching files' },
  { say: 'replace <a> with <b> in <file>', does: 'edits' },
  { say: 'write <file>: <text>', does: 'creates a file' },
  { say: 'ask me …', does: 'asks you a question' },
];

/** The phrase list of the rehearsal model. */
export function Phrases({ className }: { readonly className?: string }) {
  return (
    <div className={classes('text-small', className)}>
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1">
        {phrases.map(({ say, does }) => (
          <div key={say} className="contents">
            <dt className="font-mono text-mono text-text">{say}</dt>
            <dd className="text-muted">{does}</dd>
          </div>
        ))}
      </dl>
      <p className="mt-2 text-muted">
        Join several with <span className="font-mono text-mono text-text">then</span>: “read package.json then run `npm
        test`”.
      </p>
    </div>
  );
}
