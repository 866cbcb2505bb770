// How a language server is greeted, and what it says it can do.
import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';

export const Greeting = z.object({
  capabilities: z.looseObject({
    positionEncoding: z.string().optional(),
    definitionProvider: z.unknown().optional(),
    referencesProvider: z.unknown().optional(),
    hoverProvider: z.unknown().optional(),
    documentSymbolProvider: z.unknown().optional(),
    diagnosticProvider: z.unknown().optional(),
  }),
});
export type Capabilities = z.infer<typeof Greeting>['capabilities'];

const capabilities = {
  general: { positionEncodings: ['utf-16'] },
  textDocument: {
    synchronization: { didSave: true },
    definition: { linkSupport: true },
    references: {},
    hover: { contentFormat: ['markdown', 'plaintext'] },
    documentSymbol: { hierarchicalDocumentSymbolSupport: true },
    publishDiagnostics: {},
    diagnostic: {},
  },
  workspace: {
    workspaceFolders: true,
    configuration: true,
    didChangeWatchedFiles: { dynamicRegistration: true, relativePatternSupport: true },
  },
  window: { workDoneProgress: true },
};

/** Parameters of `initialize`. */
export function greetingFor(root: string) {
  return {
    // Its own process table does not show us.
    processId: null,
    clientInfo: { name: 'Gatehouse' },
    rootUri: pathToFileURL(root).href,
    workspaceFolders: workspaceFolders(root),
    capabilities,
  };
}

export function workspaceFolders(root: string) {
  return [{ uri: pathToFileURL(root).href, name: basename(root) }];
}
