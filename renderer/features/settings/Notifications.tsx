import { useState } from 'react';
import { notificationPermission, requestNotifications } from '../../stores/notifications';
import { Button } from '../../ui/Button';
import { Section } from './Section';

const words = {
  granted: 'The system shows them while this window is not in front.',
  denied: 'The browser does not allow them for this page. Allow them in its settings for this address.',
  default: 'They are shown in this window only.',
  unavailable: 'This browser has none; they are shown in this window only.',
} as const;

/** Whether messages of the model reach the person outside the window. */
export function Notifications() {
  const [state, setState] = useState(notificationPermission);
  return (
    <Section title="Notifications" text="The model may send a short message when long work is done or needs you.">
      <div className="flex flex-wrap items-center gap-3">
        <p>{words[state]}</p>
        {state === 'default' && (
          <Button onClick={() => void requestNotifications().then(setState)}>Show them on the desktop</Button>
        )}
      </div>
    </Section>
  );
}
