import type { HistoryScope, ReplayFilter } from '#shared/api/history';
import type { RuleDraft } from '#shared/permissions/ruleEdits';
import { host } from '../../../host/client';
import { reportFailure } from '../../../stores/toasts';

export type ReplayFormat = 'csv' | 'json' | 'markdown';

const types: Readonly<Record<ReplayFormat, string>> = {
  csv: 'text/csv',
  json: 'application/json',
  markdown: 'text/markdown',
};

/** Gives all rows as a file to save. */
export async function exportReplay(request: {
  readonly scope: HistoryScope;
  readonly draft: RuleDraft;
  readonly filter: ReplayFilter;
  readonly format: ReplayFormat;
}): Promise<void> {
  try {
    const { name, text } = await host().call('history.exportReplay', request);
    const url = URL.createObjectURL(new Blob([text], { type: `${types[request.format]};charset=utf-8` }));
    const link = document.createElement('a');
    link.href = url;
    link.download = name;
    link.click();
    URL.revokeObjectURL(url);
  } catch (error) {
    reportFailure('Nothing was exported.', error);
  }
}
