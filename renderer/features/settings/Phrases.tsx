import { rehearsalPhrases } from '#shared/session/rehearsal';
import { classes } from '../../ui/classes';

/** The phrase list of the rehearsal model. */
export function Phrases({ className }: { readonly className?: string }) {
  return (
    <div className={classes('text-small', className)}>
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1">
        {rehearsalPhrases.map(({ verb, phrase, does }) => (
          <div key={verb} className="contents">
            <dt className="font-mono text-mono text-text">{phrase}</dt>
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
