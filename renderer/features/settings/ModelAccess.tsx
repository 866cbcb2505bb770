import type { KeyState, Preferences } from '#shared/api/settings';
import { useApp } from '../../stores/app';
import { Banner } from '../../ui/Banner';
import { Select } from '../../ui/Select';
import { ApiKey } from './ApiKey';
import { BaseUrl } from './BaseUrl';
import { ConnectionTest } from './ConnectionTest';
import { Section } from './Section';

export interface ModelAccessProps {
  readonly preferences: Preferences;
  readonly apiKey: KeyState;
}

/** Radix forbids an empty value; this one stands for "the first of the list". */
const firstOfList = 'first-of-the-list';

/** Key, address and default model. */
export function ModelAccess({ preferences, apiKey }: ModelAccessProps) {
  const models = useApp((app) => app.models);
  const problem = useApp((app) => app.modelsProblem);
  const setPreferences = useApp((app) => app.setPreferences);
  const missing = preferences.model !== '' && !models.some((model) => model.id === preferences.model);
  const first = models[0];
  return (
    <Section
      title="Model access"
      text="Any server that speaks the Messages API. The key stays with Gatehouse's core; this page never sees it again."
    >
      <ApiKey state={apiKey} />
      <BaseUrl saved={preferences.baseUrl} />
      <ConnectionTest needsKey={apiKey.source === 'none'} />
      <div className="flex flex-col gap-1.5">
        <Select
          label="Model for new sessions"
          className="max-w-90"
          value={preferences.model === '' ? firstOfList : preferences.model}
          options={[
            {
              value: firstOfList,
              label: first === undefined ? 'First of the list' : `First of the list (${first.label})`,
            },
            ...models.map((model) => ({
              value: model.id,
              label: model.scripted ? `${model.label} (scripted)` : model.label,
            })),
            ...(missing ? [{ value: preferences.model, label: `${preferences.model} (not offered)` }] : []),
          ]}
          onChange={(model) => void setPreferences({ model: model === firstOfList ? '' : model })}
        />
        <p className="text-small text-muted">A session keeps its model until you change it there.</p>
      </div>
      {problem === '' ? null : (
        <div className="overflow-hidden rounded-control border border-line">
          <Banner level="warning" title="The server's list of models is missing.">
            {problem}
          </Banner>
        </div>
      )}
    </Section>
  );
}
