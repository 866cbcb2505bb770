import { Trash2 } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { Preferences } from '#shared/api/settings';
import { useApp } from '../../stores/app';
import { Button } from '../../ui/Button';
import { IconButton } from '../../ui/IconButton';
import { TextField } from '../../ui/TextField';
import { VisibleText } from '../../ui/VisibleText';
import { readCommandLine, writeCommandLine } from './commandLine';
import { Section } from './Section';

type Servers = Preferences['lspServers'];

/** Which programs answer questions about code, where those in PATH are not the right ones. */
export function LanguageServers({ servers }: { readonly servers: Servers }) {
  const setPreferences = useApp((app) => app.setPreferences);
  const save = (lspServers: Servers): Promise<unknown> => setPreferences({ lspServers });
  return (
    <Section
      title="Language servers"
      text="They answer the model’s questions about code. Known ones are found in PATH; name one here to use it instead. They run without network and write nothing."
    >
      {Object.keys(servers).length === 0 ? (
        <p className="text-muted">None is named; those in PATH are used.</p>
      ) : (
        <ul className="flex flex-col rounded-control border border-line">
          {Object.entries(servers).map(([language, server]) => (
            <li
              key={language}
              className="flex items-center gap-3 border-line/60 border-b py-1 pr-1.5 pl-3 last:border-b-0"
            >
              <span className="w-32 shrink-0 truncate font-medium" title={language}>
                {language}
              </span>
              <code className="min-w-0 flex-1 truncate font-mono text-mono" title={writeCommandLine(server)}>
                <VisibleText text={writeCommandLine(server)} />
              </code>
              <IconButton
                label={`Remove the server for ${language}`}
                icon={Trash2}
                onClick={() => {
                  const { [language]: _removed, ...rest } = servers;
                  void save(rest);
                }}
              />
            </li>
          ))}
        </ul>
      )}
      <AddServer onAdd={(language, server) => save({ ...servers, [language]: server })} />
    </Section>
  );
}

interface AddServerProps {
  readonly onAdd: (language: string, server: Servers[string]) => Promise<unknown>;
}

function AddServer({ onAdd }: AddServerProps) {
  const [language, setLanguage] = useState('');
  const [line, setLine] = useState('');
  const [problem, setProblem] = useState<{ readonly of: 'language' | 'line'; readonly text: string } | null>(null);
  const change = (set: (text: string) => void) => (text: string) => {
    set(text);
    setProblem(null);
  };

  async function add(event: FormEvent): Promise<void> {
    event.preventDefault();
    const id = language.trim();
    const command = readCommandLine(line);
    if (command === null) {
      setProblem({
        of: 'line',
        text: line.includes('"') || line.includes("'") ? 'A quote is open.' : 'Name a program.',
      });
      return;
    }
    const server = { command: command.command, args: [...command.args] };
    const valid = Preferences.shape.lspServers.safeParse({ [id]: server });
    if (!valid.success) {
      const isName = valid.error.issues.some(({ code, path }) => code === 'invalid_key' || path.length < 2);
      setProblem(
        isName
          ? { of: 'language', text: 'Write a language id, such as typescript or python.' }
          : { of: 'line', text: 'This is too long, or no program.' },
      );
      return;
    }
    await onAdd(id, server);
    setLanguage('');
    setLine('');
  }

  return (
    <form onSubmit={(event) => void add(event)} className="flex flex-wrap items-start gap-2">
      <TextField
        label="Language"
        className="w-40"
        mono
        placeholder="typescript"
        value={language}
        onChange={change(setLanguage)}
        problem={problem?.of === 'language' ? problem.text : ''}
      />
      <TextField
        label="Program and arguments"
        className="min-w-56 flex-1"
        mono
        placeholder="typescript-language-server --stdio"
        value={line}
        onChange={change(setLine)}
        problem={problem?.of === 'line' ? problem.text : ''}
        hint="No shell reads it; quotes keep blanks together."
      />
      <Button type="submit" className="mt-6.5" disabled={language.trim() === '' || line.trim() === ''}>
        Add
      </Button>
    </form>
  );
}
