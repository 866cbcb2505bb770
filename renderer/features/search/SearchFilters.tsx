import { ChevronDown, X } from 'lucide-react';
import { type ReactNode, useMemo, useState } from 'react';
import { useApp } from '../../stores/app';
import { noFilter, useSearch } from '../../stores/search';
import { useTranscripts } from '../../stores/transcripts';
import { Button } from '../../ui/Button';
import { Chip } from '../../ui/Chip';
import { Menu, type MenuChoice, MenuChoices } from '../../ui/Menu';
import { Popover } from '../../ui/Popover';
import { TextField } from '../../ui/TextField';
import { baseName, homePath } from '../frame/words';
import { filterCount, parts, type Span, sinceOf, spanOf, spans, togglePart } from './searchFilter';

const verdicts = [
  { value: 'any', label: 'Any verdict' },
  { value: 'allow', label: 'Allowed' },
  { value: 'ask', label: 'Asked' },
  { value: 'deny', label: 'Denied' },
] as const;

const origins = [
  { value: 'any', label: 'All conversations' },
  { value: 'gatehouse', label: 'Sessions of Gatehouse' },
  { value: 'claudeCode', label: 'Claude Code’s transcripts' },
] as const;

/** Folders that are offered; the last used ones. */
const mostFolders = 30;

/** What is sought within, as chips. */
export function SearchFilters() {
  const filter = useSearch((search) => search.filter);
  const setFilter = useSearch((search) => search.setFilter);
  const clear = useSearch((search) => search.clearFilter);
  const span = spanOf(filter.since, Date.now());
  return (
    <fieldset className="mt-2.5 flex flex-wrap items-center gap-1.5">
      <legend className="sr-only">Search within</legend>
      {parts.map(({ value, label }) => (
        <Chip
          key={value}
          aria-pressed={filter.parts?.includes(value) ?? false}
          onClick={() => setFilter({ parts: togglePart(filter.parts, value) })}
        >
          {label}
        </Chip>
      ))}
      <span aria-hidden className="mx-1 h-4 w-px bg-line-strong" />
      <ToolFilter value={filter.tool} onChange={(tool) => setFilter({ tool })} />
      <ChoiceChip
        label="Verdict"
        value={filter.verdict ?? 'any'}
        choices={verdicts}
        onChoose={(verdict) => setFilter({ verdict: verdict === 'any' ? null : verdict })}
      />
      <FolderFilter value={filter.folder} onChange={(folder) => setFilter({ folder })} />
      <ChoiceChip<Span>
        label="Time"
        value={span}
        choices={spans}
        onChoose={(chosen) => setFilter({ since: sinceOf(chosen, Date.now()), until: null })}
      />
      <ChoiceChip
        label="Origin"
        value={filter.origin ?? 'any'}
        choices={origins}
        onChoose={(origin) => setFilter({ origin: origin === 'any' ? null : origin })}
      />
      {filterCount(filter) === filterCount(noFilter) ? null : (
        <Button size="small" variant="ghost" icon={X} onClick={clear}>
          Clear filters
        </Button>
      )}
    </fieldset>
  );
}

/** A chip with a menu; says what is chosen, and is marked unless that is the first choice. */
function ChoiceChip<Value extends string>(props: {
  readonly label: string;
  readonly value: Value;
  readonly choices: readonly MenuChoice<Value>[];
  readonly onChoose: (value: Value) => void;
}) {
  const { label, value, choices, onChoose } = props;
  const chosen = choices.find((choice) => choice.value === value);
  const first = choices[0]?.value === value;
  return (
    <Menu
      label={label}
      trigger={<DropChip name={label} set={!first} shown={first ? label : (chosen?.label ?? value)} />}
    >
      <MenuChoices value={value} choices={choices} onChoose={onChoose} />
    </Menu>
  );
}

/** Takes the properties of a trigger; the name tells what it chooses and what is chosen. */
function DropChip({
  name,
  set,
  shown,
  ...rest
}: {
  readonly name: string;
  readonly set: boolean;
  readonly shown: ReactNode;
}) {
  return (
    <Chip
      {...rest}
      tone={set ? 'accent' : 'plain'}
      className={set ? 'border-accent bg-accent-tint' : ''}
      aria-label={set && typeof shown === 'string' ? `${name}: ${shown}` : name}
    >
      <span className="max-w-48 truncate">{shown}</span>
      <ChevronDown aria-hidden size={13} strokeWidth={1.75} className="shrink-0" />
    </Chip>
  );
}

function FolderFilter(props: { readonly value: string | null; readonly onChange: (folder: string | null) => void }) {
  const { value, onChange } = props;
  const sessions = useApp((app) => app.sessions);
  const transcripts = useTranscripts((store) => store.list);
  const home = useApp((app) => app.hello?.home ?? '');
  const choices = useMemo(() => {
    const last = [...(sessions ?? []), ...(transcripts ?? [])].sort((a, b) => b.updatedAt - a.updatedAt);
    const folders = new Set(last.map(({ folder }) => folder).filter((folder) => folder !== ''));
    if (value !== null) folders.add(value);
    return [...folders].slice(0, mostFolders);
  }, [sessions, transcripts, value]);
  return (
    <Menu
      label="Folder"
      trigger={<DropChip name="Folder" set={value !== null} shown={value === null ? 'Folder' : baseName(value)} />}
    >
      <MenuChoices
        value={value ?? 'any'}
        choices={[
          { value: 'any', label: 'Any folder' },
          ...choices.map((folder) => ({ value: folder, label: baseName(folder), hint: homePath(folder, home) })),
        ]}
        onChoose={(folder) => onChange(folder === 'any' ? null : folder)}
      />
    </Menu>
  );
}

function ToolFilter(props: { readonly value: string | null; readonly onChange: (tool: string | null) => void }) {
  const { value, onChange } = props;
  const [typed, setTyped] = useState(value ?? '');
  const hits = useSearch((search) => search.hits);
  const seen = useMemo(
    () => [...new Set(hits.map(({ tool }) => tool).filter((tool) => tool !== null))].sort().slice(0, 12),
    [hits],
  );
  return (
    <Popover label="Tool" trigger={<DropChip name="Tool" set={value !== null} shown={value ?? 'Tool'} />}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onChange(typed.trim() === '' ? null : typed.trim());
        }}
        className="flex items-end gap-2"
      >
        <TextField
          label="Name of the tool"
          placeholder="Bash"
          value={typed}
          maxLength={200}
          onChange={setTyped}
          className="flex-1"
        />
        <Button type="submit">Filter</Button>
      </form>
      {seen.length === 0 && value === null ? null : (
        <div className="mt-3 flex flex-wrap gap-1.5">
          {seen.map((tool) => (
            <Chip
              key={tool}
              aria-pressed={tool === value}
              onClick={() => {
                setTyped(tool);
                onChange(tool);
              }}
            >
              {tool}
            </Chip>
          ))}
          {value === null ? null : (
            <Chip
              icon={X}
              onClick={() => {
                setTyped('');
                onChange(null);
              }}
            >
              Any tool
            </Chip>
          )}
        </div>
      )}
    </Popover>
  );
}
