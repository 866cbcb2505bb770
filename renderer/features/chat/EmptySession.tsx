import { baseName, homePath } from '../frame/words';

interface Props {
  readonly folder: string;
  readonly home: string;
  readonly scripted: boolean;
  readonly onPick: (text: string) => void;
}

/** Sentences that the rehearsal model turns into real calls. */
const phrases = [
  { text: 'read package.json', does: 'Reads a file; no question asked' },
  { text: 'run `npm test`', does: 'Runs a command; asks you first' },
  { text: 'find TODO in src', does: 'Searches the folder' },
  { text: 'replace foo with bar in src/x.js', does: 'Changes a file; shows the change and asks' },
];

/** A session without messages: what to do first. */
export function EmptySession({ folder, home, scripted, onPick }: Props) {
  return (
    <div className="flex min-h-0 flex-1 flex-col overflow-y-auto px-7">
      <div className="mx-auto my-auto w-full max-w-[640px] py-8">
        <h2 className="font-semibold text-page">What should be done in {baseName(folder)}?</h2>
        <p className="chat-verbatim mt-1 font-mono text-mono text-muted">{homePath(folder, home)}</p>
        {scripted ? (
          <>
            <p className="mt-5 text-conversation">
              The <strong className="font-semibold">rehearsal model</strong> answers here. It is scripted and not
              intelligent: it turns a few sentences into real tool calls, so that you can try everything offline.
            </p>
            <ul className="mt-4 grid gap-2 sidebar:grid-cols-2">
              {phrases.map(({ text, does }) => (
                <li key={text}>
                  <button
                    type="button"
                    onClick={() => onPick(text)}
                    className="h-full w-full rounded-card border border-line-strong bg-panel px-3.5 py-2.5 text-left hover:border-control hover:bg-hover"
                  >
                    <span className="block font-mono text-mono">{text}</span>
                    <span className="block text-muted text-small">{does}</span>
                  </button>
                </li>
              ))}
            </ul>
            <p className="mt-3 text-muted text-small">
              Join several with “then”: read package.json then run `npm test`.
            </p>
          </>
        ) : (
          <p className="mt-5 text-conversation text-muted">
            Describe the goal, and how you will know that it is reached. Reads run by themselves; everything else asks
            you unless a rule allows it.
          </p>
        )}
      </div>
    </div>
  );
}
