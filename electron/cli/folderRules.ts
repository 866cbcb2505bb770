// The rules of a folder for commands that look at them without a workspace.
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { fail, ok, type Result } from '#shared/util/result';
import { readFolderConfig } from '../core/mcp/configFiles';
import type { PermissionEngine } from '../core/permissions/engine';
import { diskView } from '../core/permissions/fileView';
import { createPermissionEngine } from '../core/permissions/permissionEngine';
import { isReadOnlyCommand } from '../core/permissions/readOnlyCommand';
import { steeringFiles } from '../core/permissions/steering';
import { trustsAll } from '../core/permissions/trust';
import type { JudgeHost } from '../core/policy/try/judge';
import { textLog } from '../core/textLog';
import { builtInTools } from '../core/tools/builtInTools';
import type { AnyTool } from '../core/tools/tool';
import type { CliHost } from './host';

/** The folder that a command names; the present one when it names none. */
export function folderNamed(given: string | undefined, host: CliHost): Result<string> {
  const folder = resolve(host.cwd, given ?? '.');
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true)
    return fail(`${folder} is no folder. Name one that exists.`);
  return ok(folder);
}

/** An engine with the files of the person and of a folder, which counts as trusted. Dispose it. */
export function engineFor(host: CliHost): PermissionEngine {
  return createPermissionEngine({
    paths: host.paths,
    platform: host.platform,
    allowBypass: true,
    runsAsRoot: false,
    log: textLog((line) => host.err(line.trimEnd()), { verbose: false }),
    whyNoClassifier: () => '',
    trust: trustsAll,
  });
}

export function judgeHostOf({ paths, platform }: CliHost): JudgeHost {
  return {
    home: paths.home,
    data: paths.data,
    privateFiles: paths.privateFiles,
    platform,
    steering: steeringFiles({ paths }),
    view: diskView(platform),
  };
}

/** Tools that can be known without a workspace around them. */
export function knownToolsOf(): readonly AnyTool[] {
  return builtInTools({ isReadOnlyCommand });
}

/** Names of the MCP servers that are configured for a folder. */
export function serversOf(folder: string, { paths }: CliHost): readonly string[] {
  const { servers } = readFolderConfig({ paths, folder, launch: { sources: [], strict: false } });
  return servers.map((server) => server.name);
}
