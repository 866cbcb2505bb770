import prompt from './system.prompt.md';

/**
 * The system text of a session. It holds nothing that changes from request to request, so that the prompt cache
 * keeps working.
 */
export function systemPrompt(about: {
  readonly folder: string;
  readonly platform: string;
  readonly day: string;
  /** Sections of memory, skills and agents; empty: none. */
  readonly sections: string;
  /** What a sub-agent is for, below what holds for everybody; left out: it is the session's own agent. */
  readonly role?: string;
}): string {
  return [
    prompt.trim(),
    ...(about.role === undefined ? [] : ['', '# Your part', '', about.role]),
    '',
    'Where you are:',
    `- Working folder: ${about.folder}`,
    `- Platform: ${about.platform}`,
    `- Date at the start of this session: ${about.day}`,
    ...(about.sections === '' ? [] : ['', about.sections]),
  ].join('\n');
}
