import type { Preferences } from '#shared/api/settings';
import { useApp } from '../../stores/app';
import { densities } from '../palette/actions';
import { Choices } from './Choices';
import { Section } from './Section';

/** Colours of the page, and how much of the work it shows. */
export function Appearance({ theme, density }: Pick<Preferences, 'theme' | 'density'>) {
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
      <Choices
        label="Density of the conversation"
        value={density}
        choices={densities}
        onChoose={(chosen) => void setPreferences({ density: chosen })}
      />
    </Section>
  );
}
