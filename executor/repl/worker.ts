// What runs inside the session's own node process. Its text is handed over as a program (`workerSource`), so that it is
// there whatever files the sandbox shows; it may use nothing from outside of its function.

/** A request: code to run in `cwd`; `mark` is printed after all that the code printed. */
export interface WorkerRequest {
  readonly id: number;
  readonly code: string;
  readonly cwd: string;
  readonly mark: string;
  /** Most characters of the value or error that come back. */
  readonly maxChars: number;
}

/** The session's program. Requests and answers are lines of JSON on descriptor 3; what code prints goes to stdout. */
function replWorker(): void {
  const { Session } = process.getBuiltinModule('node:inspector');
  const { builtinModules, createRequire } = process.getBuiltinModule('node:module');
  const { Socket } = process.getBuiltinModule('node:net');
  const { join } = process.getBuiltinModule('node:path');
  const { inspect } = process.getBuiltinModule('node:util');
  const { Script } = process.getBuiltinModule('node:vm');

  const channel = new Socket({ fd: 3, readable: true, writable: true });
  const print = process.stdout.write.bind(process.stdout);
  // One stream, so that what is printed keeps its order.
  process.stderr.write = print as typeof process.stderr.write;

  const session = new Session();
  session.connect();
  const received = Symbol.for('gatehouse.repl.received');
  let last: unknown;
  Object.defineProperty(globalThis, received, {
    value: (value: unknown) => {
      last = value;
    },
  });
  for (const name of builtinModules) {
    if (/^_|\/|^(sys|module|process|console)$/.test(name) || Object.hasOwn(globalThis, name)) continue;
    Object.defineProperty(globalThis, name, {
      configurable: true,
      get: () => process.getBuiltinModule(name),
      set: (value: unknown) =>
        Object.defineProperty(globalThis, name, { value, configurable: true, enumerable: true, writable: true }),
    });
  }

  const text = (value: unknown, maxChars: number): string => {
    let whole: string;
    try {
      whole = typeof value === 'string' ? value : inspect(value, { depth: 4, maxArrayLength: 200, breakLength: 100 });
    } catch {
      whole = '(a value that cannot be shown)';
    }
    return whole.length > maxChars ? `${whole.slice(0, maxChars)}…` : whole;
  };
  /** Without the frames of this program. */
  const errorText = (error: unknown, maxChars: number): string =>
    text(error, maxChars)
      .replace(/\n {4}at Session\.post \(node:inspector[\s\S]*?(?=\n[^ ]|\n {2}\[|$)/, '')
      .replace(/^Uncaught /, '');

  process.on('uncaughtException', (error) => {
    print(`Uncaught, from code that was still running: ${errorText(error, 4_000)}\n`);
  });

  const asProgram = (code: string): string => {
    if (!/^\s*\{/.test(code) || /;\s*$/.test(code)) return code;
    try {
      // An object, not a block with labels.
      const wrapped = `(${code}\n)`;
      new Script(wrapped);
      return wrapped;
    } catch {
      return code;
    }
  };

  const post = (method: string, parameters: object): Promise<Record<string, unknown>> =>
    new Promise((resolve, reject) => {
      session.post(method, parameters, (error, result) => {
        if (error === null) resolve((result ?? {}) as Record<string, unknown>);
        else reject(new Error(error.message));
      });
    });

  /** The value behind what the inspector tells of it. */
  const valueBehind = async (remote: Record<string, unknown>): Promise<unknown> => {
    if (typeof remote.objectId !== 'string') {
      const { unserializableValue } = remote;
      if (typeof unserializableValue !== 'string') return remote.value;
      return unserializableValue.endsWith('n') ? BigInt(unserializableValue.slice(0, -1)) : Number(unserializableValue);
    }
    await post('Runtime.callFunctionOn', {
      objectId: remote.objectId,
      functionDeclaration: "function () { 'use strict'; globalThis[Symbol.for('gatehouse.repl.received')](this); }",
    });
    const value = last;
    last = undefined;
    return value;
  };

  const run = async (request: WorkerRequest): Promise<Record<string, unknown>> => {
    const { code, cwd, maxChars } = request;
    if (process.cwd() !== cwd) process.chdir(cwd);
    Object.defineProperty(globalThis, 'require', {
      value: createRequire(join(cwd, 'repl.js')),
      configurable: true,
      writable: true,
    });
    // The engine's own mode for consoles: `await` at the top, and names may be declared again.
    const answer = await post('Runtime.evaluate', {
      expression: asProgram(code),
      replMode: true,
      awaitPromise: true,
      objectGroup: 'call',
    });
    const value = await valueBehind(answer.result as Record<string, unknown>);
    const details = answer.exceptionDetails as { lineNumber: number; columnNumber: number } | undefined;
    if (details === undefined) {
      if (value !== undefined) Object.defineProperty(globalThis, '_', { value, configurable: true, writable: true });
      return { value: value === undefined ? null : text(value, maxChars) };
    }
    const at =
      value instanceof SyntaxError && !/<anonymous>:\d/.test(String(value.stack))
        ? ` (line ${details.lineNumber + 1}, column ${details.columnNumber + 1})`
        : '';
    return { error: `${errorText(value, maxChars)}${at}` };
  };

  const tidy = async (): Promise<void> => {
    await post('Runtime.releaseObjectGroup', { objectGroup: 'call' });
    await post('Runtime.discardConsoleEntries', {});
  };

  let rest = '';
  channel.setEncoding('utf8');
  channel.on('data', (piece: string) => {
    const lines = (rest + piece).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const request = JSON.parse(line) as WorkerRequest;
      void run(request)
        .catch((error: unknown) => ({ error: errorText(error, request.maxChars) }))
        .then(async (outcome) => {
          await tidy().catch(() => undefined);
          print(request.mark);
          channel.write(`${JSON.stringify({ id: request.id, ...outcome })}\n`);
        });
    }
  });
  channel.on('end', () => process.exit());
  channel.on('error', () => process.exit());
}

/** The program as text, for `node --eval`. */
export const workerSource = `(${replWorker.toString()})();`;
