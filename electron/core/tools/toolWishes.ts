// What launch, environment and preferences say about tools, put together.
import type { Preferences } from '#shared/api/settings';
import type { CorePorts } from '../ports';
import { featuresInForce } from './features';
import { loadingPolicy } from './loadingPolicy';
import type { ToolWishes } from './sessionTools';

/** `contextTokens` of the session's model. The launch goes before the environment, and that before the preferences. */
export function toolWishes(
  ports: Pick<CorePorts, 'host' | 'environment'>,
  about: { readonly preferences: Preferences; readonly contextTokens: number },
): ToolWishes {
  const { search = '', features = '' } = ports.environment.tools ?? {};
  const { preferences, contextTokens } = about;
  return {
    features: featuresInForce({ environment: features, preferences: preferences.features }),
    toolSet: ports.host.simple === true ? 'simple' : preferences.toolSet,
    policy: loadingPolicy({ environment: search, preference: preferences.toolDeferral, contextTokens }),
  };
}
