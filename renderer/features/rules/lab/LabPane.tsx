import { type LabTab, useRulesPage } from '../../../stores/rulesPage';
import { TabPanel, Tabs } from '../../../ui/Tabs';
import { RuleDetail } from '../form/RuleDetail';
import type { RuleRow } from '../table/rows';
import { ChecksTab } from './ChecksTab';
import { ReplayTab } from './ReplayTab';
import { SuggestTab } from './SuggestTab';
import { TestsTab } from './TestsTab';
import { TryTab } from './TryTab';

/** What stands beside the rules: one rule, and everything that tells what the rules would do. */
export function LabPane({ row }: { readonly row: RuleRow | undefined }) {
  const tab = useRulesPage((page) => page.tab);
  const show = useRulesPage((page) => page.show);
  const remarks = useRulesPage((page) => page.findings?.length ?? 0);
  return (
    <Tabs<LabTab>
      label="Rule laboratory"
      value={tab}
      onChange={(chosen) => show({ tab: chosen })}
      tabs={[
        { value: 'rule', label: 'Rule' },
        { value: 'try', label: 'Try it' },
        { value: 'replay', label: 'Replay' },
        { value: 'tests', label: 'Tests' },
        { value: 'suggest', label: 'Suggest' },
        { value: 'checks', label: remarks === 0 ? 'Checks' : `Checks ${remarks}` },
      ]}
    >
      <TabPanel value="rule">
        <RuleDetail row={row} />
      </TabPanel>
      <TabPanel value="try">
        <TryTab />
      </TabPanel>
      <TabPanel value="replay">
        <ReplayTab />
      </TabPanel>
      <TabPanel value="tests">
        <TestsTab />
      </TabPanel>
      <TabPanel value="suggest">
        <SuggestTab />
      </TabPanel>
      <TabPanel value="checks">
        <ChecksTab />
      </TabPanel>
    </Tabs>
  );
}
