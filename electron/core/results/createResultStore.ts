// Results that are too long for the model: kept as files, the model gets a preview (spec 5).
import type { ResultBlock } from '#shared/session/events';
import type { Log } from '../ports';
import { boundContent, boundText } from './bound';
import { isResultPath, resultsOf, safeName } from './names';
import { makePrivateFolder, ResultNames, readEnds, writeNew } from './persist';
import { persistedOutput, previewChars } from './preview';
import type { ProcessedResult, ResultStore } from './resultStore';

/** Of a written file, enough for the preview: 4,096 characters have at most four bytes each. */
const endBytes = 16_384;
/** Longer text is not looked at for being JSON. */
const largestJson = 20_000_000;
/** What stands beside a preview is short, whoever made it. */
const maxAsideChars = 2_000;

export interface ResultStoreOptions {
  /** Holds the results of all projects. */
  readonly folder: string;
  /** The working folder of a session, which names its project; null when there is no such session. */
  readonly workingFolder: (sessionId: string) => string | null;
  readonly log: Log;
}

type Result = Parameters<ResultStore['process']>[0];

/** Makes the store. Nothing is made on disk until there is something to keep. */
export function createResultStore(options: ResultStoreOptions): ResultStore {
  const { folder, log } = options;
  const names = new ResultNames();

  const sessionFolder = (sessionId: string): string | null => {
    const working = options.workingFolder(sessionId);
    return working === null ? null : resultsOf(folder, { sessionId, folder: working });
  };

  const reserve = async (about: {
    readonly sessionId: string;
    readonly toolUseId: string;
    readonly ending: 'txt' | 'json';
  }): Promise<string> => {
    const into = sessionFolder(about.sessionId);
    if (into === null) throw Object.assign(new Error('the session is gone'), { code: 'ENOENT' });
    await makePrivateFolder(into);
    return names.reserve(into, safeName(about.toolUseId), about.ending);
  };

  const keepText = async (result: Result): Promise<ProcessedResult> => {
    const texts = result.content.flatMap((block) => (block.type === 'text' ? [block.text] : []));
    const others = result.content.filter((block) => block.type !== 'text');
    const text = texts.join('\n\n');
    try {
      const ending = texts.length === 1 && isJson(text) ? 'json' : 'txt';
      const file = await reserve({ ...result, ending });
      try {
        await writeNew(file, text);
      } finally {
        names.release(file);
      }
      const bytes = Buffer.byteLength(text);
      const { text: shown, shownChars } = persistedOutput({ file, bytes, head: text, tail: text.slice(previewChars) });
      return {
        content: [{ type: 'text', text: shown }, ...others],
        persisted: { file, bytes, previewChars: shownChars },
      };
    } catch (error) {
      log.warn('a result could not be kept', { errno: errnoOf(error) });
      const said = `The whole result could not be kept in a file (${reasonOf(error)}), so its middle is lost. If you need it, ask for less at once.`;
      const kept = boundText(text, result.maxChars);
      return { content: [{ type: 'text', text: kept }, { type: 'text', text: said }, ...others] };
    }
  };

  const showWritten = async (
    result: Result,
    written: NonNullable<Result['written']>,
  ): Promise<ProcessedResult | null> => {
    const at = result.content.findIndex((block) => block.type === 'text');
    names.release(written.file);
    try {
      const { head, tail } = await readEnds(written.file, endBytes);
      const { file, bytes } = written;
      const { text, shownChars } = persistedOutput({ file, bytes, head, tail });
      const beside = result.content.filter((_, index) => index !== at);
      const content: ResultBlock[] = [{ type: 'text', text }, ...boundContent(beside, maxAsideChars)];
      return { content, persisted: { file, bytes, previewChars: shownChars } };
    } catch (error) {
      log.warn('a kept output could not be read', { errno: errnoOf(error) });
      return null;
    }
  };

  return {
    folder,
    sessionFolder,
    isResultFile: (path) => isResultPath(folder, path),
    async outputFile(sessionId, toolUseId) {
      try {
        return await reserve({ sessionId, toolUseId, ending: 'txt' });
      } catch (error) {
        log.warn('no file for a command’s output', { errno: errnoOf(error) });
        return null;
      }
    },
    async process(result) {
      const { content, maxChars, written } = result;
      const length = content.reduce((sum, block) => sum + (block.type === 'text' ? block.text.length : 0), 0);
      if (written !== undefined) {
        const shown = await showWritten(result, written);
        if (shown !== null) return shown;
      }
      return length <= maxChars ? { content } : keepText(result);
    },
  };
}

function isJson(text: string): boolean {
  if (!/^\s*[[{]/.test(text) || text.length > largestJson) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function errnoOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'unknown';
}

const reasons: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EROFS: 'the file system is read-only',
  EACCES: 'the folder may not be written to',
  EPERM: 'the system refuses it',
};

function reasonOf(error: unknown): string {
  const errno = errnoOf(error);
  const words = reasons[errno];
  return words === undefined ? errno : `${words}, ${errno}`;
}
