// Operations as a model's calls make them, with their grants, into what does them; and grants for something else.
import { fork } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import {
  EditCell,
  EditFile,
  type ExecutorContract,
  executorContract,
  GlobFiles,
  GrepFiles,
  ListFolder,
  Operation,
  ReadFile,
  StatFile,
  WriteFile,
} from '#shared/api/executor';
import { RpcError } from '#shared/rpc/errors';
import { type Connected, connect } from '#shared/rpc/peer';
import { TransportListeners } from '#shared/rpc/transportListeners';
import { fitting } from '#shared/testing/fromSchema';
import { type FuzzPlace, fuzzTarget, must, type OpenTargets } from '#shared/testing/fuzzTarget';
import { damagedJson, hostileJson, hostileNumber, hostileText, inPieces } from '#shared/testing/hostile';
import { canonicalJson } from '#shared/util/canonicalJson';
import { Grants } from '../grants';
import { FrameReader, FramingError, frame } from '../lsp/framing';
import { PlainBytes } from '../output/plainBytes';

const key = 'ab'.repeat(32);
const schemas = {
  'file.stat': StatFile,
  'file.read': ReadFile,
  'file.write': WriteFile,
  'file.edit': EditFile,
  'file.editCell': EditCell,
  'file.list': ListFolder,
  'search.glob': GlobFiles,
  'search.grep': GrepFiles,
} as const;
type Name = keyof typeof schemas;

let count = 0;
function grantFor(operation: Operation) {
  count += 1;
  const about = { nonce: `n${count}`, expiresAt: Date.now() + 60_000 };
  const mac = createHmac('sha256', Buffer.from(key, 'hex'))
    .update(canonicalJson({ ...about, operation }))
    .digest('hex');
  return { ...about, mac };
}

/** Things to find in the folder: odd names, odd contents, links, places without an end. */
function furnish(folder: string): readonly string[] {
  const notebook = {
    cells: [{ cell_type: 'code', source: ['a\n', 'b'], metadata: {}, outputs: [], execution_count: null }],
    metadata: {},
    nbformat: 4,
    nbformat_minor: 5,
  };
  const files: readonly (readonly [string, string | Buffer])[] = [
    ['a.txt', 'one\ntwo\nthree\n'],
    ['b.txt', 'x\r\n\uFEFFy'],
    ['bytes.bin', Buffer.from([0, 255, 254, 10, 128])],
    ['image.png', Buffer.from('89504e470d0a1a0a0000', 'hex')],
    ['page.pdf', '%PDF-1.7\nbroken'],
    ['note.ipynb', JSON.stringify(notebook)],
    ['broken.ipynb', '{"cells":[{"cell_type":5},null]}'],
    ['long.txt', 'y'.repeat(200_000)],
    ['[a]{b}*.txt', 'glob'],
    ['\u202ename\n.txt', 'z'],
  ];
  mkdirSync(join(folder, 'sub'), { recursive: true });
  for (const [name, content] of files) writeFileSync(join(folder, name), content);
  symlinkSync('loop', join(folder, 'loop'));
  symlinkSync('a.txt', join(folder, 'link'));
  symlinkSync('.', join(folder, 'sub', 'up'));
  return [...files.map(([name]) => name), 'loop', 'link', 'sub', 'sub/up', 'missing', 'a.txt/x', ''];
}

interface Running {
  readonly client: Connected<ExecutorContract>;
  /** What it printed about its own faults. */
  readonly faults: string[];
  stop(): Promise<void>;
}

/** The built executor, in a process of its own. */
async function start(executor: string): Promise<Running> {
  const child = fork(executor, [], { execArgv: [], stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
  const faults: string[] = [];
  child.stderr?.setEncoding('utf8').on('data', (text: string) => faults.push(text));
  const listeners = new TransportListeners();
  child.on('message', (message) => listeners.deliver(message));
  const gone = new Promise<void>((resolve) =>
    child.once('exit', () => {
      listeners.close('the executor ended');
      resolve();
    }),
  );
  const client = connect(executorContract, {
    send: (message) => void child.send(message as object, () => undefined),
    onMessage: (listener) => listeners.onMessage(listener),
    onClose: (listener) => listeners.onClose(listener),
    close: (reason) => listeners.close(reason),
  });
  await client.call('executor.ping', {});
  return {
    client,
    faults,
    async stop() {
      child.disconnect();
      await gone;
    },
  };
}

export async function open({ folder, executor }: FuzzPlace): Promise<OpenTargets> {
  const world = join(folder, 'files');
  mkdirSync(world);
  const names = furnish(world);
  const running = await start(executor);
  const { client } = running;
  await client.call('executor.start', { grantKey: key });
  const grants = new Grants();
  grants.start(key);

  /** Of the folder, whatever stands in it: what is written must not leave it. */
  const path = fc
    .oneof({ weight: 4, arbitrary: fc.constantFrom(...names) }, { weight: 1, arbitrary: hostileText })
    .map((name) => `${world}/${name.replaceAll('..', '_')}`.slice(0, 9_000));
  const texts = (name: string) =>
    ['path', 'root', 'folder'].includes(name)
      ? path
      : name === 'pattern'
        ? fc.oneof(
            fc.constantFrom('**/*', '*.txt', '(a+)+$', '[', '{a,b', '\\', '(?<=x)', '.*.*.*.*.*x'),
            hostileText.filter((text) => !text.includes('..')),
          )
        : undefined;
  const operation = fc.oneof(
    ...Object.entries(schemas).map(([name, schema]) =>
      fitting(schema, texts).map((value) => ({ name: name as Name, value })),
    ),
  );
  const inWorld = (value: unknown): boolean =>
    typeof value !== 'object' ||
    value === null ||
    Object.entries(value).every(([name, one]) =>
      ['path', 'root', 'folder'].includes(name) ? typeof one === 'string' && one.startsWith(`${world}/`) : inWorld(one),
    );

  const operations = fuzzTarget(fc, {
    name: 'operations',
    inputs: operation,
    corpus: [],
    async check({ name, value }) {
      const read = Operation.safeParse(value);
      if (!read.success || !inWorld(value)) return;
      const request = { grant: grantFor(read.data), operation: read.data };
      running.faults.length = 0;
      try {
        await client.call(name, request as never);
      } catch (error) {
        must(
          error instanceof RpcError && error.code !== 'internal' && error.code !== 'unavailable',
          'an operation failed by a fault',
          [String(error), running.faults.join('')],
        );
      }
    },
  });

  const foreign = fuzzTarget(fc, {
    name: 'grants for something else',
    inputs: fc
      .tuple(operation, fc.constantFrom('path', 'mac', 'time', 'operation', 'twice'), hostileNumber, hostileJson)
      .chain(([one, how, number, json]) =>
        damagedJson(one.value).map((other) => ({ name: one.name, value: one.value, other, how, number, json })),
      ),
    corpus: [],
    check({ value, other, how, number, json }) {
      const read = Operation.safeParse(value);
      if (!read.success) return;
      const grant = grantFor(read.data);
      const redeem = (token: typeof grant, about: Operation): boolean => {
        try {
          grants.redeem(token, about);
          return true;
        } catch (error) {
          must(error instanceof RpcError && error.code === 'refused', 'a grant failed by a fault', String(error));
          return false;
        }
      };
      const changed = Operation.safeParse(other);
      if (how === 'operation' && changed.success && canonicalJson(changed.data) !== canonicalJson(read.data))
        must(!redeem(grant, changed.data), 'a grant opened another operation', {
          granted: read.data,
          done: changed.data,
        });
      if (how === 'path' && 'path' in read.data)
        must(!redeem(grant, { ...read.data, path: `${read.data.path} ` }), 'a grant opened another path', read.data);
      if (how === 'mac') {
        const mac = typeof json === 'string' ? json : grant.mac.toUpperCase().replace('A', 'b');
        if (mac.toLowerCase() !== grant.mac)
          must(!redeem({ ...grant, mac }, read.data), 'a wrong signature opened', mac);
      }
      if (how === 'time' && number !== grant.expiresAt)
        must(!redeem({ ...grant, expiresAt: number }, read.data), 'another time opened', number);
      if (how === 'twice') {
        must(redeem(grant, read.data), 'a good grant was refused', read.data);
        must(!redeem(grant, read.data), 'a grant opened twice', read.data);
      }
    },
  });

  const cuts = fc.array(fc.nat(3_000), { maxLength: 8 });
  const frames = fuzzTarget(fc, {
    name: 'frames of language servers',
    inputs: fc.record({ messages: fc.array(hostileJson, { maxLength: 4 }), noise: hostileText, cuts }),
    corpus: [],
    check({ messages, noise, cuts: at }) {
      const clean = new FrameReader();
      const bytes = Buffer.concat(messages.map(frame));
      const read = inPieces(bytes, at).flatMap((piece) => clean.take(Buffer.from(piece)));
      must(JSON.stringify(read) === JSON.stringify(messages), 'in pieces they are other messages');
      const odd = new FrameReader();
      try {
        for (const piece of inPieces(Buffer.concat([Buffer.from(noise), bytes]), at)) odd.take(Buffer.from(piece));
      } catch (error) {
        must(error instanceof FramingError, 'a frame failed by a fault', String(error));
      }
    },
  });

  const output = fuzzTarget(fc, {
    name: 'output of commands',
    inputs: fc.record({
      text: fc.array(
        fc.oneof(
          hostileText,
          fc.constantFrom(
            '\u001b[2K',
            '\u001b[1A',
            '\u001b[999999999B',
            '\u001b[99999999C',
            '\b',
            '\r',
            '\u001b]0;t\u0007',
            '\u001bPq',
            '\u009b1m',
          ),
        ),
        { maxLength: 12 },
      ),
      bytes: fc.uint8Array({ maxLength: 40 }),
      cuts,
    }),
    corpus: [],
    check({ text, bytes, cuts: at }) {
      const all = Buffer.concat([Buffer.from(text.join('')), Buffer.from(bytes)]);
      const plainOf = (pieces: readonly Uint8Array[]): string => {
        const final: Buffer[] = [];
        const plain = new PlainBytes((piece) => final.push(Buffer.from(piece)));
        for (const piece of pieces) plain.write(Buffer.from(piece));
        plain.end();
        return Buffer.concat(final).toString('utf8');
      };
      const whole = plainOf([all]);
      // A longer line is handed on in parts as it comes.
      if (whole.length > 10_000) return;
      must(whole === plainOf(inPieces(all, at)), 'in pieces it is another text', {
        whole,
        cut: plainOf(inPieces(all, at)),
      });
      // biome-ignore lint/suspicious/noControlCharactersInRegex: what must not be there
      must(!/[\u0000-\u0008\u000b-\u001f]/.test(whole), 'control characters are left', whole);
      must(whole.length <= 20_000 + 4 * all.length, 'more text than was printed', whole.length);
    },
  });

  return {
    targets: [operations, foreign, frames, output],
    dispose: () => running.stop(),
  };
}
