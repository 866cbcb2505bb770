// The thread of past calls: started by the core, ends with it.
import { parentPort, workerData } from 'node:worker_threads';
import type { HistoryRequest } from './messages';
import { createReplayer } from './replayer';
import { serveThread } from './serveThread';

const port = parentPort;
if (port === null) throw new Error('This program is a thread of Gatehouse’s core and does nothing by itself.');
const { receive } = serveThread({ places: workerData, createReplayer, reply: (reply) => port.postMessage(reply) });
port.on('message', (request: HistoryRequest) => receive(request));
