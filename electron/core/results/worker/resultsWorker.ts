// The threads that look into files of results: one answers the page, and starts others for what may take too long.

import { fileURLToPath } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';
import { failureOf } from '../../threads/serveAsked';
import { diffFiles } from '../viewer/fileDiff';
import type { SearchJob } from '../viewer/search/fileSearch';
import { runSearch, searchInThread } from '../viewer/search/searchTask';
import { compareInThread, type DiffReply } from './diffTask';
import type { ThreadRequest } from './messages';
import { serveThread } from './serveThread';

const port = parentPort;
if (port === null) throw new Error('This program is a thread of Gatehouse’s core and does nothing by itself.');
const self = fileURLToPath(import.meta.url);
const job: unknown = workerData;
const has = (name: string): boolean => typeof job === 'object' && job !== null && Object.hasOwn(job, name);

if (has('search')) port.on('message', (search: SearchJob) => runSearch(search, (reply) => port.postMessage(reply)));
else if (has('diff')) {
  const tell = (reply: DiffReply): void => port.postMessage(reply);
  try {
    tell({ ok: true, diff: diffFiles(workerData.diff) });
  } catch (error) {
    tell({ ok: false, ...failureOf(error) });
  }
} else {
  const { receive } = serveThread({
    searcher: searchInThread(self),
    compare: compareInThread(self),
    reply: (reply) => port.postMessage(reply),
  });
  port.on('message', (request: ThreadRequest) => receive(request));
}
