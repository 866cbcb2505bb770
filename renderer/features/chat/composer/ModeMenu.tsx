import { ChevronDown, ShieldQuestionMark } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { RulesView } from '#shared/api/permissions';
import { PermissionMode, permissionModes } from '#shared/permissions/modes';
import { Chip } from '../../../ui/Chip';
import { Menu, MenuChoices } from '../../../ui/Menu';
import { isPressOf } from '../../palette/keysInForce';

interface Props {
  readonly mode: PermissionMode;
  /** What may be chosen here, with reasons; null until it is known. */
  readonly modes: RulesView['modes'] | null;
  readonly onChoose: (mode: PermissionMode) => void;
}

/** The permission mode, with what each one means; keys open it, too. */
export function ModeMenu({ mode, modes, onChoose }: Props) {
  const [open, setOpen] = useState(false);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (!isPressOf(event, 'modeMenu')) return;
      event.preventDefault();
      setOpen(true);
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);
  const choices = PermissionMode.options.map((value) => {
    const known = modes?.find((candidate) => candidate.mode === value);
    const available = known?.available ?? value === mode;
    const { label, meaning } = permissionModes[value];
    return { value, label, hint: available || !known?.reason ? meaning : known.reason, disabled: !available };
  });
  return (
    <Menu
      label="Permission mode"
      side="top"
      open={open}
      onOpenChange={setOpen}
      trigger={
        <Chip
          icon={ShieldQuestionMark}
          tone={mode === 'bypassPermissions' ? 'ask' : 'plain'}
          aria-label={`Permission mode: ${permissionModes[mode].label}`}
          title={permissionModes[mode].meaning}
        >
          {permissionModes[mode].label}
          <ChevronDown aria-hidden="true" size={13} strokeWidth={1.75} />
        </Chip>
      }
    >
      <MenuChoices value={mode} choices={choices} onChoose={onChoose} />
    </Menu>
  );
}
