import { ChevronDown, Cpu } from 'lucide-react';
import type { ModelChoice } from '#shared/session/events';
import { Chip } from '../../../ui/Chip';
import { Menu, MenuChoices, MenuItem, MenuLine } from '../../../ui/Menu';

interface Props {
  readonly model: ModelChoice;
  readonly models: readonly ModelChoice[];
  /** Why the server's list is missing; empty when all is well. */
  readonly problem: string;
  readonly onChoose: (model: ModelChoice) => void;
  readonly onOpenSettings: () => void;
}

/** What a scripted model is, said wherever it can be chosen. */
const scriptedHint = 'Scripted, not intelligent: it follows a short list of phrases';

/** Which model answers from the next message on. */
export function ModelMenu({ model, models, problem, onChoose, onOpenSettings }: Props) {
  const known = models.some((candidate) => candidate.id === model.id) ? models : [model, ...models];
  return (
    <Menu
      label="Model"
      side="top"
      trigger={
        <Chip icon={Cpu} aria-label={`Model: ${model.label}${model.scripted ? ', scripted' : ''}`}>
          <span className="max-w-52 truncate">{model.scripted ? 'Rehearsal · scripted' : model.label}</span>
          <ChevronDown aria-hidden="true" size={13} strokeWidth={1.75} className="shrink-0" />
        </Chip>
      }
    >
      <MenuChoices
        value={model.id}
        choices={known
          .filter((candidate) => candidate.id !== '')
          .map((candidate) => ({
            value: candidate.id,
            label: candidate.label,
            hint: candidate.scripted ? scriptedHint : candidate.id === candidate.label ? '' : candidate.id,
          }))}
        onChoose={(id) => {
          const chosen = known.find((candidate) => candidate.id === id);
          if (chosen !== undefined && chosen.id !== model.id) onChoose(chosen);
        }}
      />
      {problem !== '' && <p className="max-w-80 px-2 py-1.5 text-ask text-small">{problem}</p>}
      <MenuLine />
      <MenuItem onSelect={onOpenSettings}>Key and server…</MenuItem>
    </Menu>
  );
}
