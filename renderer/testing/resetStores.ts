import { useApp } from '../stores/app';
import { useChanges } from '../stores/changes';
import { useCommands } from '../stores/commands';
import { useHooksPage } from '../stores/hooksPage';
import { usePlace } from '../stores/place';
import { useResultsPage } from '../stores/resultsPage';
import { useRuleDraft } from '../stores/ruleDraft';
import { useRules } from '../stores/rules';
import { useRulesPage } from '../stores/rulesPage';
import { useSandbox } from '../stores/sandbox';
import { useSearch } from '../stores/search';
import { useSession } from '../stores/session';
import { useSidebar } from '../stores/sidebar';
import { useToasts } from '../stores/toasts';
import { useTools } from '../stores/tools';
import { useToolsPage } from '../stores/toolsPage';
import { useTracePage } from '../stores/tracePage';
import { useTranscripts } from '../stores/transcripts';
import { useUi } from '../stores/ui';
import { useServersOfFolder } from '../stores/waitingServers';

/** Puts all stores back to how a fresh page has them. */
export function resetStores(): void {
  useApp.setState(useApp.getInitialState(), true);
  useChanges.setState(useChanges.getInitialState(), true);
  useCommands.setState(useCommands.getInitialState(), true);
  useSearch.setState(useSearch.getInitialState(), true);
  useSession.setState(useSession.getInitialState(), true);
  usePlace.setState(usePlace.getInitialState(), true);
  useResultsPage.setState(useResultsPage.getInitialState(), true);
  useHooksPage.setState(useHooksPage.getInitialState(), true);
  useRuleDraft.setState(useRuleDraft.getInitialState(), true);
  useRules.setState(useRules.getInitialState(), true);
  useRulesPage.setState(useRulesPage.getInitialState(), true);
  useSandbox.setState(useSandbox.getInitialState(), true);
  useSidebar.setState(useSidebar.getInitialState(), true);
  useToasts.setState(useToasts.getInitialState(), true);
  useTools.setState(useTools.getInitialState(), true);
  useToolsPage.setState(useToolsPage.getInitialState(), true);
  useTracePage.setState(useTracePage.getInitialState(), true);
  useTranscripts.setState(useTranscripts.getInitialState(), true);
  useServersOfFolder.setState(useServersOfFolder.getInitialState(), true);
  useUi.setState(useUi.getInitialState(), true);
}
