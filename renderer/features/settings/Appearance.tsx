import type { Theme } from '#shared/api/settings';
import { useApp } from '../../stores/app';
import { Choices } from './Choices';
import { Section } from './Section';

/** Colours. */
export function Appearance({ theme }: { readonly theme: Theme }) {
  const setPreferences = useApp((app) => app.setPreferences);
  return (
    <Section title="Appearance">
      <Choices
        label="Theme"
        value={theme}
        choices={[
          { value: 'system', label: 'As the system' },
          { value: 'light', label: 'Light' },
          { value: 'dark', label: 'Dark' },
        ]}
        onChoose={(chosen) => void setPreferences({ theme: chosen })}
      />
    </Section>
  );
}
