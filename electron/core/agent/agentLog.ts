// The session's log as a sub-agent sees and writes it: its own conversation and current folder, everything else shared.
import type { PermissionMode } from '#shared/permissions/modes';
import type { SessionEventBody } from '#shared/session/events';
import type { SessionState } from '#shared/session/state';
import type { SessionLog, SessionService } from '../sessions/service';

export interface AgentLogOptions {
  readonly sessions: SessionService;
  readonly sessionId: string;
  readonly agentId: string;
  /** Its name, for notices. */
  readonly name: string;
  /** Who starts it: its folder and mode are where the agent's begin. */
  readonly parent: Pick<SessionLog, 'state'>;
  /** Where it works; null: where its parent does. */
  readonly folder: string | null;
  /** A mode that counts where it is stricter than the parent's; null: the parent's, whatever it becomes. */
  readonly mode: PermissionMode | null;
  /** One line for whoever follows its work. */
  onProgress(text: string): void;
}

export interface AgentLog extends SessionLog {
  /** What ended its turn early, in words; empty when nothing did. */
  readonly lastNotice: string;
}

/** What plan and dontAsk hold back differs, so that neither can stand for the other. */
function stricterMode(parent: PermissionMode, agent: PermissionMode | null): PermissionMode {
  return agent === null || parent === 'plan' || parent === 'dontAsk' ? parent : agent;
}

/** Events that belong to the agent's own conversation are marked as such. */
function marked(body: SessionEventBody, agentId: string): SessionEventBody {
  switch (body.type) {
    case 'message.sent':
    case 'assistant.started':
    case 'assistant.block':
    case 'assistant.finished':
    case 'call.created':
    case 'context.added':
    case 'conversation.compacted':
      return { ...body, agentId };
    default:
      return body;
  }
}

/** Makes the agent's view. Text as it streams is not published; its calls are. */
export function createAgentLog(options: AgentLogOptions): AgentLog {
  const { sessions, agentId, name, parent, folder } = options;
  let cwd = folder ?? parent.state(options.sessionId).cwd;
  let lastNotice = '';
  const view = (sessionId: string): SessionState => {
    const state = parent.state(sessionId);
    return { ...state, cwd, folder: folder ?? state.folder, mode: stricterMode(state.mode, options.mode) };
  };
  return {
    get lastNotice() {
      return lastNotice;
    },
    append(sessionId, body) {
      if (body.type === 'cwd.changed') {
        cwd = body.cwd;
        return;
      }
      if (body.type === 'notice') {
        if (body.level !== 'info') lastNotice = body.text;
        // A failure comes back as the result of the call that started the agent.
        if (body.level === 'warning') sessions.append(sessionId, { ...body, text: `Agent ${name}: ${body.text}` });
        else if (lastNotice === '') lastNotice = body.text;
        return;
      }
      tell(options, body);
      sessions.append(sessionId, marked(body, agentId));
    },
    state: view,
    conversation: (sessionId) => sessions.conversation(sessionId, agentId),
    liveText: () => [],
    publish: () => undefined,
    exists: (sessionId) => sessions.exists(sessionId),
  };
}

function tell({ sessions, sessionId, onProgress }: AgentLogOptions, body: SessionEventBody): void {
  if (body.type === 'assistant.block' && body.block.type === 'text') onProgress(body.block.text.trim());
  if (body.type !== 'call.finished') return;
  const call = sessions.state(sessionId).calls[body.callId];
  if (call === undefined) return;
  const { title, summary } = call.presentation;
  onProgress(`[${title} ${summary}: ${body.status}${body.note === '' ? '' : `, ${body.note}`}]`);
}
