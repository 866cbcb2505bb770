import type { Preferences } from '#shared/api/settings';
import { useApp } from '../../stores/app';
import { useUi } from '../../stores/ui';
import { Button } from '../../ui/Button';
import { keyNames } from '../../ui/keyNames';
import { useKeys } from '../palette/keysInForce';
import { Choices } from './Choices';
import { KeyTable } from './KeyTable';
import { Section } from './Section';

/** How a message is sent, and which keys do what. */
export function Keyboard({ sendWith, shortcuts }: Pick<Preferences, 'sendWith' | 'shortcuts'>) {
  const setPreferences = useApp((app) => app.setPreferences);
  const showSheet = useUi((ui) => ui.setDialog);
  const sheetKeys = useKeys('shortcutSheet');
  const mod = keyNames('Mod')[0] ?? 'Ctrl';
  return (
    <Section title="Keyboard">
      <Choices
        label="Send a message with"
        value={sendWith}
        choices={[
          { value: 'enter', label: 'Enter sends', hint: 'Shift and Enter begins a new line.' },
          { value: 'modEnter', label: `${mod} and Enter sends`, hint: 'Enter begins a new line.' },
        ]}
        onChoose={(chosen) => void setPreferences({ sendWith: chosen })}
      />
      <div>
        <Button keys={sheetKeys} onClick={() => showSheet('shortcuts')}>
          All keys
        </Button>
      </div>
      <KeyTable own={shortcuts} />
    </Section>
  );
}
