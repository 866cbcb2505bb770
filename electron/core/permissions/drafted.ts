// What would be in force with changes that are not written yet.
import type { DraftView } from '#shared/api/rules';
import type { RuleDraft } from '#shared/permissions/ruleEdits';
import type { Sources } from './combineSources';

/** The result of a draft: what would count, and how it would stand in the files. */
export interface Drafted {
  readonly sources: Sources;
  readonly view: DraftView;
}

/** Makes drafts on what is in force. Nothing is written. */
export interface RuleDrafts {
  /** For an open session; opens it when it is not. Edits that cannot be made are named in `view.problems` and left out. */
  drafted(session: { readonly sessionId: string; readonly folder: string }, draft: RuleDraft): Promise<Drafted>;
  /**
   * The same for any folder, as for a session that would be opened there; edits of the project's and local file are made only
   * where `ownFolder` is that folder. For replays over many folders.
   */
  sourcesFor(
    folder: string,
    options: { readonly sessionId: string; readonly ownFolder: string; readonly draft: RuleDraft },
  ): Promise<Sources>;
}
