// A conversation as one HTML file: no scripts, nothing that is fetched, every text only text.
import { createHash } from 'node:crypto';
import { assertNever } from '#shared/util/assertNever';
import type { WrittenCall, WrittenConversation, WrittenEntry } from './conversationDocument';
import { conversationStyle as style } from './conversationStyle';
import { oneLine, outcomeText, type Reading, readable, seen, spanText, timeText } from './conversationText';
import { markdownBlocks } from './markdownBlocks';

const signs: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** A text as text, whatever it holds. */
const html = (text: string): string => seen(text).replace(/[&<>"']/g, (sign) => signs[sign] ?? sign);

/** Writes it. */
export function htmlOf(conversation: WrittenConversation, { remark, longest }: Reading): string {
  const { title, folder, model, startedAt, endedAt, entries } = conversation;
  const hash = createHash('sha256').update(style).digest('base64');
  const facts = [
    ['Folder', folder],
    ['Time', spanText(startedAt, endedAt)],
    ['Model', model],
  ].filter(([, value]) => value !== '');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${html(oneLine(title))}</title>
<style>${style}</style>
</head>
<body>
<header>
<h1>${html(oneLine(title))}</h1>
<dl>${facts.map(([name = '', value = '']) => `<div><dt>${name}</dt><dd>${html(oneLine(value))}</dd></div>`).join('')}</dl>
<p class="remark">${html(remark)}</p>
</header>
<main>
${entries.map((entry) => entryHtml(entry, longest)).join('\n')}
</main>
</body>
</html>
`;
}

function entryHtml(entry: WrittenEntry, longest: number): string {
  switch (entry.kind) {
    case 'person':
      return `<section class="person"><h2>You <time>${timeText(entry.at)}</time></h2>${markdownHtml(entry.text)}</section>`;
    case 'answer':
      return `<section class="answer">${markdownHtml(entry.text)}</section>`;
    case 'summary':
      return `<section class="summary"><h2>Summary of what came before</h2>${markdownHtml(entry.text)}</section>`;
    case 'notice':
      return `<p class="notice ${entry.level === 'error' ? 'error' : entry.level === 'warning' ? 'warning' : 'info'}">${html(entry.text)}</p>`;
    case 'call':
      return callHtml(entry, longest);
  }
}

function callHtml(call: WrittenCall, longest: number): string {
  const { tool, what, status, change, output, agent } = call;
  const good = status === 'succeeded' ? 'good' : status === 'failed' || status === 'denied' ? 'bad' : 'open';
  const head = `<b>${html(oneLine(tool))}</b> <code>${html(oneLine(what))}</code> <span class="outcome ${good}">${html(outcomeText(call))}</span>`;
  const body = change === null ? outputHtml(output, longest) : changeHtml(change);
  const inner = (agent?.calls ?? []).map((one) => callHtml(one, longest)).join('\n');
  if (body === '' && inner === '') return `<div class="call">${head}</div>`;
  return `<details class="call"><summary>${head}</summary>${body}${inner}</details>`;
}

function outputHtml(output: string, longest: number): string {
  return output.trim() === '' ? '' : `<pre tabindex="0">${html(readable(output, longest))}</pre>`;
}

function changeHtml({ hunks }: NonNullable<WrittenCall['change']>): string {
  const lines = hunks.flatMap(({ oldStart, newStart, lines: changed }) => [
    `<span class="place">@@ -${oldStart} +${newStart} @@</span>`,
    ...changed.map(({ sign, text }) =>
      sign === '+'
        ? `<ins>+${html(text)}</ins>`
        : sign === '-'
          ? `<del>-${html(text)}</del>`
          : `<span>${html(` ${text}`)}</span>`,
    ),
  ]);
  return `<pre class="change" tabindex="0">${lines.join('')}</pre>`;
}

function markdownHtml(text: string): string {
  return markdownBlocks(text)
    .map((block) => {
      switch (block.kind) {
        case 'code':
          return `<pre tabindex="0">${html(block.text)}</pre>`;
        case 'heading':
          return `<p class="heading">${inlineHtml(block.text)}</p>`;
        case 'item':
          return `<p class="item depth${Math.min(block.depth, 3)}">${html(block.mark)} ${inlineHtml(block.text)}</p>`;
        case 'text':
          return `<p>${inlineHtml(block.text)}</p>`;
        default:
          return assertNever(block, 'block');
      }
    })
    .join('\n');
}

/** Code and strong words; everything else, addresses too, is text. */
function inlineHtml(text: string): string {
  return text
    .split(/(`[^`\n]+`|\*\*[^*\n]+\*\*)/)
    .map((part, index) => {
      if (index % 2 === 0) return html(part);
      return part.startsWith('`') ? `<code>${html(part.slice(1, -1))}</code>` : `<b>${html(part.slice(2, -2))}</b>`;
    })
    .join('');
}
