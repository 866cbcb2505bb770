import prompt from './system.prompt.md';

/**
 * The system text of a session. It holds nothing that changes from request to request, so that the prompt cache
 * keeps working.
 */
export function systemPrompt(about: {
  readonly folder: string;
  readonly platform: string;
  readonly day: string;
}): string {
  return [
    prompt.trim(),
    '',
    'Where you are:',
    `- Working folder: ${about.folder}`,
    `- Platform: ${about.platform}`,
    `- Date at the start of this session: ${about.day}`,
  ].join('\n');
}
