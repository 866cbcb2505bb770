// A thread of its own for one page: it can be ended when the page takes too long or too much.
import { parentPort, workerData } from 'node:worker_threads';
import { readablePage } from './readable';

const { html, url }: { readonly html: string; readonly url: string } = workerData;
parentPort?.postMessage(readablePage(html, url));
