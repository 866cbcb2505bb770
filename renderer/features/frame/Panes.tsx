import { type ReactNode, useEffect, useRef } from 'react';
import { Group, Panel, Separator } from 'react-resizable-panels';
import { useUi } from '../../stores/ui';
import { Sheet } from '../../ui/Sheet';
import { inspectorFits, sidebarFits, useMedia } from './useMedia';

export interface PanesProps {
  readonly sidebar: ReactNode;
  readonly content: ReactNode;
  /** null while there is nothing to inspect. */
  readonly inspector: ReactNode | null;
}

/** Sidebar, content and inspector side by side, with remembered widths; sheets where the window is too narrow. */
export function Panes({ sidebar, content, inspector }: PanesProps) {
  const sidebarBeside = useMedia(sidebarFits);
  const inspectorBeside = useMedia(inspectorFits);
  const ui = useUi();
  const widths = useRef({ sidebar: ui.sidebarWidth, inspector: ui.inspectorWidth });
  const showSidebar = sidebarBeside && ui.sidebarOpen;
  const showInspector = inspectorBeside && ui.inspectorOpen && inspector !== null;

  // A pane that stood beside the content must not suddenly cover it when the window gets narrow.
  useEffect(() => {
    if (!inspectorBeside) useUi.getState().setInspectorOpen(false);
  }, [inspectorBeside]);

  return (
    <>
      <Group
        orientation="horizontal"
        className="min-h-0 min-w-0 flex-1"
        onLayoutChanged={(_layout, { isUserInteraction }) => {
          if (!isUserInteraction) return;
          useUi.setState({
            sidebarWidth: Math.round(widths.current.sidebar),
            inspectorWidth: Math.round(widths.current.inspector),
          });
        }}
      >
        {showSidebar ? (
          <>
            <Panel
              id="sidebar"
              defaultSize={ui.sidebarWidth}
              minSize={200}
              maxSize={480}
              groupResizeBehavior="preserve-pixel-size"
              onResize={({ inPixels }) => {
                widths.current.sidebar = inPixels;
              }}
            >
              {sidebar}
            </Panel>
            <PaneEdge label="Width of the sessions list" />
          </>
        ) : null}
        <Panel id="content" minSize={360}>
          {content}
        </Panel>
        {showInspector ? (
          <>
            <PaneEdge label="Width of the inspector" />
            <Panel
              id="inspector"
              defaultSize={ui.inspectorWidth}
              minSize={280}
              maxSize={800}
              groupResizeBehavior="preserve-pixel-size"
              onResize={({ inPixels }) => {
                widths.current.inspector = inPixels;
              }}
            >
              {inspector}
            </Panel>
          </>
        ) : null}
      </Group>
      {sidebarBeside ? null : (
        <Sheet side="left" title="Sessions" open={ui.sidebarSheet} onOpenChange={ui.setSidebarSheet}>
          {sidebar}
        </Sheet>
      )}
      {inspectorBeside || inspector === null ? null : (
        <Sheet side="right" title="Inspector" open={ui.inspectorOpen} onOpenChange={ui.setInspectorOpen}>
          {inspector}
        </Sheet>
      )}
    </>
  );
}

/** The line between two panes; drag it, or focus it and use the arrow keys. */
function PaneEdge({ label }: { readonly label: string }) {
  return (
    <Separator
      aria-label={label}
      className="w-px bg-line outline-offset-0 data-[separator=active]:bg-accent data-[separator=hover]:bg-control"
    />
  );
}
