import { useState } from 'react';
import type { NotifyOf } from '#shared/api/settings';
import { useApp } from '../../stores/app';
import { notificationPermission, requestNotifications } from '../../stores/notifications';
import { Button } from '../../ui/Button';
import { Switch } from '../../ui/Switch';
import { Section } from './Section';

const words = {
  granted: 'The system shows them while this window is not in front.',
  denied: 'The browser does not allow them for this page. Allow them in its settings for this address.',
  default: 'They are shown in this window only.',
  unavailable: 'This browser has none; they are shown in this window only.',
} as const;

const kinds: readonly { readonly key: keyof NotifyOf; readonly label: string; readonly hint?: string }[] = [
  {
    key: 'waiting',
    label: 'A session waits for you',
    hint: 'A click leads to it. Nothing can be answered from outside.',
  },
  { key: 'ended', label: 'A turn has ended' },
  { key: 'failed', label: 'A turn has failed' },
];

/** What reaches the person outside the window. */
export function Notifications({ notify }: { readonly notify: NotifyOf }) {
  const setPreferences = useApp((app) => app.setPreferences);
  const [state, setState] = useState(notificationPermission);
  return (
    <Section
      title="Notifications"
      text="While nobody looks at this window. The model, too, may send a short message when long work is done or needs you."
    >
      <div className="flex flex-wrap items-center gap-3">
        <p>{words[state]}</p>
        {state === 'default' && (
          <Button onClick={() => void requestNotifications().then(setState)}>Show them on the desktop</Button>
        )}
      </div>
      {kinds.map(({ key, label, hint }) => (
        <Switch
          key={key}
          label={label}
          {...(hint === undefined ? {} : { hint })}
          checked={notify[key]}
          onChange={(on) => void setPreferences({ notify: { ...notify, [key]: on } })}
        />
      ))}
    </Section>
  );
}
