// What a path rule reaches, in a form in which reaches can be compared.
import type { CompiledRule } from '../../permissions/compiledRule';

type PathRule = CompiledRule & { readonly kind: 'path' };

export interface PathReach {
  /** Where it starts. `folder`: the session's folder alone; `current`: that, the current and the additional ones. */
  readonly base: string;
  /** With a leading slash where it starts right there; else it may start at any depth below. */
  readonly text: string;
}

/** A path with characters that mean themselves. */
const literal = /^[A-Za-z0-9_.@+~,= -]+$/;

/** `folder`: the session's folder. */
export function pathReach(rule: PathRule, folder: string): PathReach {
  const { pattern } = rule;
  const stops = rule.ref.behavior !== 'allow';
  const written = pattern.text.trimEnd();
  const text = written === '**' ? '/**' : written;
  const anchored = text.replace(/\/+$/, '').includes('/') ? `/${text.replace(/^\//, '')}` : text;
  switch (pattern.anchor) {
    case 'root':
      return { base: 'root', text: anchored };
    case 'home':
      return { base: 'home', text: anchored };
    case 'source': {
      const [at = folder] = rule.sourceFolders;
      return { base: at === folder ? 'folder' : `at ${at}`, text: anchored };
    }
    case 'current': {
      const single = /^[^/]+\/\*\*$/.test(text);
      return { base: stops ? 'current' : 'folder', text: single && stops ? `**/${text}` : anchored };
    }
  }
}

/** The folder all below which is reached: `/src` of `/src/**`; empty for everything below the start. Null for others. */
export function wholeFolder({ text }: PathReach): string | null {
  if (text === '/**') return '';
  if (!text.startsWith('/') || !text.endsWith('/**')) return null;
  const folder = text.slice(0, -3);
  return folder.slice(1).split('/').every(isLiteral) ? folder : null;
}

function isLiteral(segment: string): boolean {
  return literal.test(segment) && segment !== '.' && segment !== '..' && segment.trim() === segment;
}

/** Folders that all of a reach lies below, from the start on: of `/a/b/*.ts` the start, `/a` and `/a/b`. */
export function foldersAbove({ text }: PathReach): readonly string[] {
  const above = [''];
  if (!text.startsWith('/')) return above;
  let at = '';
  // What stands last may be what is meant itself.
  for (const segment of text.slice(1).split('/').slice(0, -1)) {
    if (!isLiteral(segment)) break;
    at = `${at}/${segment}`;
    above.push(at);
  }
  // `/a/**` is `/a` and all below, not something within `/a`.
  return text === `${at}/**` && above.length > 1 ? above.slice(0, -1) : above;
}
