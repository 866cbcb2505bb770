// HTML made readable: the article where there is one, else the whole page, as Markdown with absolute links. Written for
// hostile pages: run it where time and memory are bounded.
import { Readability } from '@mozilla/readability';
import { parseHTML } from 'linkedom';
import TurndownService from 'turndown';
import { gfm } from 'turndown-plugin-gfm';

export interface ReadablePage {
  readonly title: string;
  readonly markdown: string;
}

/** As much of the DOM as is used here; the types that linkedom states are those of a browser. */
interface Element {
  readonly tagName: string;
  readonly textContent: string | null;
  readonly innerHTML: string;
  getAttribute(name: string): string | null;
  setAttribute(name: string, value: string): void;
  removeAttribute(name: string): void;
  remove(): void;
}
interface Page {
  readonly body: Element | null;
  readonly documentElement: Element | null;
  querySelector(selector: string): Element | null;
  querySelectorAll(selector: string): Iterable<Element>;
}

/** More elements than any page that is meant to be read. */
const maxElements = 150_000;
const maxTitleChars = 500;
/** An article that holds less of the page's text than this was badly chosen: a list, an index, a table of reference. */
const leastShare = 0.25;
/** What is never read. */
const unread =
  'script, style, noscript, template, iframe, frame, object, embed, svg, canvas, audio, video, dialog, input, select, textarea, button, link, meta[http-equiv]';
const hidden = '[hidden], [aria-hidden="true"], [style*="display:none"], [style*="display: none"]';

/** Makes a page readable. `url` is where it came from. Throws where there is nothing that could be made of it. */
export function readablePage(html: string, url: string): ReadablePage {
  const article = documentOf(html, url);
  const title = oneLine(article.querySelector('title')?.textContent ?? '');
  for (const element of article.querySelectorAll('body title')) element.remove();
  // Readability takes the document apart, so the whole page is kept as text before.
  const whole = article.body?.innerHTML ?? article.documentElement?.innerHTML ?? html;
  const wholeChars = lettersIn(article.body?.textContent);
  const found = new Readability(article, {
    maxElemsToParse: maxElements,
    keepClasses: true,
  }).parse();
  const isArticle = found?.content && lettersIn(found.textContent) >= wholeChars * leastShare;
  const markdown = markdownOf(isArticle ? (found.content ?? whole) : whole);
  return { title: title || oneLine(found?.title ?? ''), markdown };
}

function documentOf(html: string, url: string): Page {
  // The tags that HTML may leave out are put in, because the parser does not do it.
  const text = /<body[\s>]/i.test(html)
    ? html
    : `<!doctype html><html><body>${html.replaceAll(/<(?:!doctype|\/?html)\b[^>]*>/gi, '')}</body></html>`;
  const page: Page = parseHTML(text).document;
  const base = absolute(page.querySelector('base[href]')?.getAttribute('href') ?? '', url) ?? url;
  for (const element of [...page.querySelectorAll(unread), ...page.querySelectorAll(hidden)]) element.remove();
  for (const link of page.querySelectorAll('a[href]')) setLink(link, 'href', base);
  for (const image of page.querySelectorAll('img')) {
    const source = image.getAttribute('src') ?? '';
    // Pictures within the page are long and say nothing to a reader of text.
    if (source === '' || source.startsWith('data:')) image.remove();
    else setLink(image, 'src', base);
  }
  return page;
}

function setLink(element: Element, name: 'href' | 'src', base: string): void {
  const target = absolute(element.getAttribute(name) ?? '', base);
  if (target === null) element.removeAttribute(name);
  else element.setAttribute(name, target);
}

/** Only links that lead somewhere: to pages, and to addresses of mail. */
function absolute(link: string, base: string): string | null {
  try {
    const url = new URL(link, base);
    return ['http:', 'https:', 'mailto:'].includes(url.protocol) ? url.href : null;
  } catch {
    return null;
  }
}

function markdownOf(html: string): string {
  const turndown = new TurndownService({
    headingStyle: 'atx',
    codeBlockStyle: 'fenced',
    bulletListMarker: '-',
    emDelimiter: '*',
    hr: '---',
  });
  turndown.use(gfm);
  // Tables without a heading would else stay HTML.
  turndown.addRule('everyTable', {
    filter: 'table',
    replacement: (content) => `\n\n${content.trim().replaceAll(/\n{2,}/g, '\n')}\n\n`,
  });
  return turndown
    .turndown(html)
    .replaceAll(/[ \t]+$/gm, '')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
}

function lettersIn(text: string | null | undefined): number {
  return (text ?? '').replaceAll(/\s+/g, '').length;
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim().slice(0, maxTitleChars);
}
