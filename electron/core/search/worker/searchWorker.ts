// The thread that reads conversations: started by the core, ends with it.
import { parentPort, workerData } from 'node:worker_threads';
import type { ReadingRequest } from './messages';
import { serveReading } from './serveReading';

const port = parentPort;
if (port === null) throw new Error('This program is a thread of Gatehouse’s core and does nothing by itself.');
const { receive } = serveReading({ places: workerData, reply: (reply) => port.postMessage(reply) });
port.on('message', (request: ReadingRequest) => receive(request));
