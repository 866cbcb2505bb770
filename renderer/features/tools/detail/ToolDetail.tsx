import { useState } from 'react';
import type { ToolView } from '#shared/api/tools';
import { TabPanel, Tabs } from '../../../ui/Tabs';
import { VisibleText } from '../../../ui/VisibleText';
import { ToolState } from '../list/ToolState';
import { AboutTool } from './AboutTool';
import { RunTool } from './RunTool';
import { ToolRules } from './ToolRules';

type DetailTab = 'about' | 'rules' | 'run';

/** One tool: what it is, which rules name it, and a way to run it. */
export function ToolDetail({ tool }: { readonly tool: ToolView }) {
  const [tab, setTab] = useState<DetailTab>('about');
  return (
    <>
      <header className="border-line border-b px-4 py-3">
        <h2 className="chat-verbatim font-mono font-semibold text-ui">
          <VisibleText text={tool.name} />
        </h2>
        <p className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-0.5 text-small">
          <ToolState state={tool.state} />
          <span className="text-muted">
            {tool.origin.kind === 'builtIn' ? (
              'built in'
            ) : (
              <>
                from <VisibleText text={tool.origin.server} />
              </>
            )}
          </span>
          <span className="text-muted">{tool.tokens.toLocaleString('en')} tokens, estimated</span>
        </p>
        {tool.reason === '' ? null : <p className="mt-1 break-words text-muted text-small">{tool.reason}</p>}
      </header>
      <Tabs<DetailTab>
        label="Details"
        value={tab}
        onChange={setTab}
        tabs={[
          { value: 'about', label: 'About' },
          { value: 'rules', label: tool.rules.length === 0 ? 'Rules' : `Rules ${tool.rules.length}` },
          { value: 'run', label: 'Run it' },
        ]}
      >
        <TabPanel value="about">
          <AboutTool tool={tool} />
        </TabPanel>
        <TabPanel value="rules">
          <ToolRules tool={tool} />
        </TabPanel>
        <TabPanel value="run">
          <RunTool tool={tool} />
        </TabPanel>
      </Tabs>
    </>
  );
}
