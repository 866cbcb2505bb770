import { useApp } from '../../stores/app';
import { useSandbox } from '../../stores/sandbox';
import { useUi } from '../../stores/ui';
import { Banner } from '../../ui/Banner';
import { Button } from '../../ui/Button';
import { VisibleText } from '../../ui/VisibleText';
import { SandboxOrigin } from './SandboxOrigin';
import { confinementOf, confinements } from './sandboxWords';
import { sentence } from './words';

/** Over a session whose commands are not confined: why, what follows, and what to do. */
export function SandboxBanner() {
  const found = useApp((app) => app.sandbox);
  const view = useSandbox((sandbox) => sandbox.view);
  const sessionId = useApp((app) => (app.page === 'chat' ? app.activeSessionId : null));
  const dismissed = useUi((ui) => sessionId !== null && ui.sandboxDismissed.includes(sessionId));
  const dismiss = useUi((ui) => ui.dismissSandbox);
  if (found === null || sessionId === null) return null;
  const state = view?.state ?? found;
  const confinement = confinementOf(view ?? { state });
  if (confinement === 'confined') return null;
  // What stops the work stays in sight.
  const stops = confinement === 'refused';
  if (dismissed && !stops) return null;
  const { title, meaning } = confinements[confinement];
  return (
    <Banner
      level={stops ? 'error' : 'warning'}
      title={`${title}.`}
      action={
        <Button
          size="small"
          onClick={() => {
            useUi.getState().openSettings('sandbox');
            useApp.getState().go('settings');
          }}
        >
          Details
        </Button>
      }
      onDismiss={stops ? undefined : () => dismiss(sessionId)}
    >
      {confinement === 'off' && view !== null ? (
        <>
          By <SandboxOrigin from={view.enabled.from} />.{' '}
        </>
      ) : (
        <>
          <VisibleText text={sentence(state.reason)} />{' '}
        </>
      )}
      {meaning}
    </Banner>
  );
}
