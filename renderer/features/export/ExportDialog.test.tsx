// @vitest-environment jsdom
import { act, cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { RpcError } from '#shared/rpc/errors';
import { followHost, useApp } from '../../stores/app';
import { useUi } from '../../stores/ui';
import { createFakeCore, type FakeCore, type FakeHandlers, summary } from '../../testing/fakeCore';
import { fillBrowserGaps, mountPage } from '../../testing/mountPage';
import { resetStores } from '../../testing/resetStores';
import { ExportDialog } from './ExportDialog';

let core: FakeCore;

async function start(answers: Partial<FakeHandlers> = {}): Promise<void> {
  core = createFakeCore({
    'sessions.list': () => ({ sessions: [summary({ sessionId: 's1', title: 'Fix the tide' })] }),
    'sessions.export': ({ format, redact }) => ({
      name: `fix-the-tide.${format}`,
      mediaType: 'text/html',
      text: `<p>${'x'.repeat(1_995)}`,
      redactions: redact ? [{ kind: 'API key', count: 2, sample: 'key=[API key]' }] : [],
      leftOut: [{ what: 'images', count: 3 }],
    }),
    ...answers,
  });
  followHost();
  mountPage(<ExportDialog />);
  act(() => {
    core.link.start();
    useUi.getState().openExport({ kind: 'session', sessionId: 's1' });
  });
  await waitFor(() => expect(useApp.getState().sessions).not.toBeNull());
}

const exportsMade = () => core.calls.filter(({ method }) => method === 'sessions.export').map(({ params }) => params);

beforeEach(() => {
  fillBrowserGaps({ wide: true });
  resetStores();
});

afterEach(() => {
  cleanup();
  core.link.dispose();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

describe('export of a conversation', () => {
  it('takes out by default, shows what before it is saved, and saves the very text', async () => {
    const saved: Blob[] = [];
    const names: string[] = [];
    vi.stubGlobal(
      'URL',
      Object.assign(URL, {
        createObjectURL: (blob: Blob) => {
          saved.push(blob);
          return 'blob:x';
        },
        revokeObjectURL: () => undefined,
      }),
    );
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      names.push(this.download);
    });
    await start();
    await screen.findByText('Fix the tide');
    await userEvent.click(screen.getByRole('radio', { name: /^HTML/ }));
    expect(screen.queryByRole('button', { name: 'Save file' })).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: 'Preview…' }));
    await screen.findByText('key=[API key]');
    expect(screen.getByText(/2 places will read as shown here.*best effort/)).toBeDefined();
    expect(screen.getByText('3 images')).toBeDefined();
    expect(screen.getByText('2.0 kB')).toBeDefined();
    await userEvent.click(screen.getByRole('button', { name: 'Save file' }));
    expect(exportsMade()).toEqual([{ in: { kind: 'session', sessionId: 's1' }, format: 'html', redact: true }]);
    expect([names, saved.map(({ size }) => size), useUi.getState().dialog]).toEqual([
      ['fix-the-tide.html'],
      [1_998],
      null,
    ]);
  });

  it('warns where nothing is taken out, and copies', async () => {
    const copied: string[] = [];
    vi.stubGlobal('navigator', {
      platform: 'Linux',
      clipboard: {
        writeText: (text: string) => {
          copied.push(text);
          return Promise.resolve();
        },
      },
    });
    await start();
    act(() => screen.getByRole('switch', { name: /Take out/ }).click());
    act(() => screen.getByRole('button', { name: 'Preview…' }).click());
    await screen.findByText(/Nothing is taken out/);
    act(() => screen.getByRole('button', { name: 'Copy' }).click());
    await screen.findByRole('button', { name: 'Copied' });
    expect(copied[0]).toMatch(/^<p>x/);
  });

  it('says why it was refused', async () => {
    await start({
      'sessions.export': () => {
        throw new RpcError('refused', 'The conversation is too large for one page. Export it as JSON.');
      },
    });
    await userEvent.click(screen.getByRole('button', { name: 'Preview…' }));
    await screen.findByText('The conversation is too large for one page. Export it as JSON.');
    await userEvent.click(screen.getByRole('button', { name: 'Back' }));
    expect(screen.getByRole('radio', { name: /^Markdown/ })).toBeDefined();
  });
});
