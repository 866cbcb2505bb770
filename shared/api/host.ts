import { z } from 'zod';
import { call } from '../rpc/contract';
import { SandboxState } from '../session/ask';

/** Bumped when page and core could misunderstand one another. */
export const protocolVersion = 1;

/** What the page may ask a host for; the page never asks which host it is on. */
export const Capability = z.enum(['pickFolder', 'openExternal', 'revealFile', 'keychain']);
export type Capability = z.infer<typeof Capability>;

export const FolderEntry = z.strictObject({
  name: z.string(),
  path: z.string(),
  hidden: z.boolean(),
  repository: z.boolean(),
});
export type FolderEntry = z.infer<typeof FolderEntry>;

/** State of the executor process: it restarts by itself; `down` means it failed too often in a row. */
export const ExecutorState = z.strictObject({
  status: z.enum(['idle', 'ready', 'restarting', 'down']),
  detail: z.string(),
});
export type ExecutorState = z.infer<typeof ExecutorState>;

export const hostCalls = {
  /** First call on every connection. `refused` when the protocol versions differ. */
  hello: call(
    z.strictObject({ protocol: z.number().int() }),
    z.strictObject({
      protocol: z.number().int(),
      version: z.string(),
      hostLabel: z.string(),
      platform: z.enum(['linux', 'darwin', 'win32', 'other']),
      capabilities: z.array(Capability),
      home: z.string(),
      /** Folder given on the command line. */
      startFolder: z.string().nullable(),
      sandbox: SandboxState,
      executor: ExecutorState,
    }),
  ),
  /** Folders in a folder, for the page's own picker. `notFound` / `refused` with the cause. */
  'host.browse': call(
    z.strictObject({ path: z.string().min(1), showHidden: z.boolean().default(false) }),
    z.strictObject({
      path: z.string(),
      parent: z.string().nullable(),
      entries: z.array(FolderEntry),
      truncated: z.boolean(),
    }),
  ),
  /** The system's folder dialog (capability `pickFolder`); null when cancelled. */
  'host.pickFolder': call(z.strictObject({}), z.strictObject({ path: z.string().nullable() })),
  /** Opens an http(s) address in the person's browser (capability `openExternal`). */
  'host.openExternal': call(z.strictObject({ url: z.url({ protocol: /^https?$/ }) }), z.strictObject({})),
};

export const hostEvents = {
  'host.sandbox': SandboxState,
  'host.executor': ExecutorState,
};
