import type { AppContract } from '#shared/api/app';
import type { fileCalls } from '#shared/api/files';
import type { Handlers } from '#shared/rpc/contract';
import { RpcError } from '#shared/rpc/errors';
import type { PermissionEngine } from '../permissions/engine';
import type { CorePorts } from '../ports';
import type { SessionService } from '../sessions/service';
import { readShownFile } from '../shownFile';

type FileHandlers = Pick<Handlers<AppContract, object>, keyof typeof fileCalls>;

/** Files of a session's working folders, to look at. */
export function fileHandlers(services: {
  readonly ports: { readonly paths: Pick<CorePorts['paths'], 'data' | 'privateFiles'> };
  readonly sessions: Pick<SessionService, 'exists' | 'state'>;
  readonly engine: Pick<PermissionEngine, 'openSession' | 'workingFolders'>;
}): FileHandlers {
  const { ports, sessions, engine } = services;
  return {
    async 'files.read'({ sessionId, path, line }) {
      if (!sessions.exists(sessionId)) throw new RpcError('notFound', 'This session no longer exists.');
      const { folder, cwd } = sessions.state(sessionId);
      await engine.openSession(sessionId, folder);
      const folders = [folder, ...engine.workingFolders(sessionId)];
      return await readShownFile(
        { path, line },
        { folders, from: [cwd, ...folders], hidden: [ports.paths.data, ...ports.paths.privateFiles] },
      );
    },
  };
}
