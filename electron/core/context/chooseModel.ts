// Which model a command's or agent's file means.
import type { ModelChoice } from '#shared/session/events';

/**
 * The offered model with that id, else the newest of a family (`sonnet`, `opus`), else the session's own. A scripted model
 * stays: it plays the whole session.
 */
export async function chooseModel(
  wish: string,
  own: ModelChoice,
  offered: () => Promise<readonly ModelChoice[]>,
): Promise<ModelChoice> {
  const wished = wish.trim().toLowerCase();
  if (own.scripted || wished === '' || wished === 'inherit' || wished === own.id.toLowerCase()) return own;
  const models = (await offered()).filter((model) => !model.scripted);
  const exact = models.find((model) => model.id.toLowerCase() === wished);
  // Servers list the newest first.
  return exact ?? models.find((model) => model.id.toLowerCase().includes(wished)) ?? own;
}
