// For tests: a data folder with sessions and results, and a folder of Claude Code beside it.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { SessionEventBody } from '#shared/session/events';
import { type OpenedDatabase, openDatabase } from '../../sessions/database';
import { SessionService } from '../../sessions/service';
import { SessionStore } from '../../sessions/store';
import { ResultsBrowser } from '../browser/resultsBrowser';
import { projectName, resultsName, safeName } from '../names';

export const dayMs = 86_400_000;

export class ResultsWorld {
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), 'gatehouse-results-')));
  readonly data = join(this.root, 'data');
  readonly claudeConfig = join(this.root, 'claude');
  readonly folder = join(this.data, 'projects');
  readonly logged: unknown[] = [];
  readonly revealed: string[] = [];
  /** How often the list was said to be another one. */
  changes = 0;
  now = Date.now();
  readonly sessions: SessionService;
  private readonly opened: OpenedDatabase;
  private readonly browsers: ResultsBrowser[] = [];

  constructor() {
    mkdirSync(this.data);
    mkdirSync(this.claudeConfig);
    this.opened = openDatabase({ folder: ':memory:', nativeBinding: undefined });
    this.sessions = new SessionService(new SessionStore(this.opened.database, () => undefined), () => this.now);
  }

  browser(threadFile: string | null = null): ResultsBrowser {
    const browser = new ResultsBrowser({
      paths: { data: this.data, claudeConfig: this.claudeConfig },
      folder: this.folder,
      database: this.opened.database,
      sessions: () => this.sessions.list(),
      threadFile,
      revealFile: async (file) => {
        this.revealed.push(file);
      },
      onChange: () => {
        this.changes += 1;
      },
      log: {
        info: () => undefined,
        warn: (...said) => this.logged.push(said),
        error: (...said) => this.logged.push(said),
      },
      now: () => this.now,
    });
    this.browsers.push(browser);
    return browser;
  }

  session(title: string): string {
    const model = { id: 'test', label: 'Test', scripted: false };
    return this.sessions.create({ folder: '/srv/app', title, mode: 'default', model });
  }

  /** A call of a session, up to its end when `end` is given. */
  call(
    sessionId: string,
    call: { readonly callId: string; readonly name: string; readonly summary: string; readonly input?: object },
    end?: Partial<Extract<SessionEventBody, { type: 'call.finished' }>>,
  ): void {
    const { callId, name, summary, input = {} } = call;
    this.sessions.append(sessionId, {
      type: 'call.created',
      callId,
      messageId: 'm',
      name,
      input: JSON.parse(JSON.stringify(input)),
      presentation: { title: name, summary, activity: summary, icon: 'tool' },
    });
    if (end === undefined) return;
    this.sessions.append(sessionId, {
      type: 'call.finished',
      callId,
      status: 'succeeded',
      content: [],
      view: null,
      note: '',
      ...end,
    });
  }

  /** Where a result of a session lies. */
  place(sessionId: string, name: string): string {
    return join(this.folder, projectName('/srv/app'), safeName(sessionId), resultsName, name);
  }

  put(file: string, content: string | Uint8Array, ageDays = 0): string {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
    const at = new Date(this.now - ageDays * dayMs);
    utimesSync(file, at, at);
    return file;
  }

  async dispose(): Promise<void> {
    for (const browser of this.browsers) await browser.dispose();
    this.opened.close();
    rmSync(this.root, { recursive: true, force: true });
  }
}
