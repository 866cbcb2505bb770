import { useApp } from '../../stores/app';
import { Skeleton } from '../../ui/Skeleton';
import { Appearance } from './Appearance';
import { Asking } from './Asking';
import { Keyboard } from './Keyboard';
import { LanguageServers } from './LanguageServers';
import { ModelAccess } from './ModelAccess';
import { Notifications } from './Notifications';
import { Phrases } from './Phrases';
import { Prices } from './Prices';
import { Section } from './Section';
import { SandboxSection } from './sandbox/SandboxSection';

/** Gatehouse's own preferences. Permission rules live in the settings files instead. */
export function SettingsPage() {
  const preferences = useApp((app) => app.preferences);
  const apiKey = useApp((app) => app.key);
  const hello = useApp((app) => app.hello);
  return (
    <div className="mx-auto w-full max-w-160 px-6 pt-6 pb-16">
      <h1 className="text-page font-semibold">Settings</h1>
      {preferences === null || apiKey === null ? (
        <Skeleton label="Loading the settings" className="pt-8" rows={6} />
      ) : (
        <>
          <ModelAccess preferences={preferences} apiKey={apiKey} />
          {apiKey.source === 'none' ? (
            <Section
              title="Rehearsal model"
              text="Answers while there is no key. It is scripted and not intelligent; its tool calls are real and go through every step."
            >
              <Phrases />
            </Section>
          ) : null}
          <Appearance theme={preferences.theme} density={preferences.density} />
          <Asking armDelayMs={preferences.armDelayMs} />
          <SandboxSection />
          <Notifications notify={preferences.notify} />
          <Keyboard sendWith={preferences.sendWith} shortcuts={preferences.shortcuts} />
          <Prices prices={preferences.prices} />
          <LanguageServers servers={preferences.lspServers} />
          {hello === null ? null : (
            <p className="border-t border-line pt-6 text-small text-muted">
              Gatehouse {hello.version} · {hello.hostLabel}
            </p>
          )}
        </>
      )}
    </div>
  );
}
