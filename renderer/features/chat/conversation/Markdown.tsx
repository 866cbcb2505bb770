import { Image } from 'lucide-react';
import { Children, isValidElement, memo, type ReactNode, useDeferredValue } from 'react';
import ReactMarkdown, { type Components } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { shownText } from '../../../ui/visibleCharacters';
import { ScrollBox } from '../views/ScrollBox';
import { CodeBlock } from './CodeBlock';
import { ExternalLink } from './ExternalLink';
import { FileLink } from './FileLink';
import { filePlace, placesIn } from './filePlace';
import { markdownParts } from './markdownParts';

const plugins = [remarkGfm];

/** Where names of files become links: text that is neither code nor a link. */
function linked(children: ReactNode): ReactNode {
  return Children.map(children, (child) =>
    typeof child !== 'string'
      ? child
      : placesIn(child).map((piece, index) =>
          typeof piece === 'string' ? (
            piece
          ) : (
            // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text have no other identity and never move.
            <FileLink key={index} place={piece.place}>
              {piece.text}
            </FileLink>
          ),
        ),
  );
}

/** What a model wrote, as formatted text. Raw HTML stays text, nothing is loaded from elsewhere. */
export const Markdown = memo(function Markdown({ text }: { readonly text: string }) {
  // While text streams in, typing elsewhere comes first.
  // Named before it is formatted: some of the elements are made by the library.
  const shown = shownText(useDeferredValue(text));
  return (
    <div className="chat-markdown min-w-0 text-conversation [overflow-wrap:anywhere]">
      {markdownParts(shown).map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts are only added at the end.
        <Part key={index} text={part} />
      ))}
    </div>
  );
});

const Part = memo(function Part({ text }: { readonly text: string }) {
  return (
    <ReactMarkdown remarkPlugins={plugins} components={components} urlTransform={(url) => url}>
      {text}
    </ReactMarkdown>
  );
});

// The conversation's own headings are h2 and h3, so those of an answer start at h4.
const components: Components = {
  h1: ({ children }) => <h4 className="pt-2 font-semibold text-title">{children}</h4>,
  h2: ({ children }) => <h4 className="pt-2 font-semibold text-title">{children}</h4>,
  h3: ({ children }) => <h5 className="pt-1 font-semibold">{children}</h5>,
  h4: ({ children }) => <h5 className="pt-1 font-semibold">{children}</h5>,
  h5: ({ children }) => <h6 className="pt-1 font-semibold">{children}</h6>,
  h6: ({ children }) => <h6 className="pt-1 font-semibold">{children}</h6>,
  p: ({ children }) => <p>{linked(children)}</p>,
  li: ({ children }) => <li>{linked(children)}</li>,
  ul: ({ children }) => <ul className="list-disc pl-5 marker:text-dim">{children}</ul>,
  ol: ({ children, start }) => (
    <ol className="list-decimal pl-6 marker:text-dim" start={start}>
      {children}
    </ol>
  ),
  blockquote: ({ children }) => (
    <blockquote className="border-line-strong border-l-2 pl-3 text-muted">{children}</blockquote>
  ),
  hr: () => <hr className="border-line" />,
  strong: ({ children }) => <strong className="font-semibold">{linked(children)}</strong>,
  em: ({ children }) => <em>{linked(children)}</em>,
  table: ({ children }) => (
    <ScrollBox label="Table" className="overflow-x-auto rounded-control border border-line">
      <table className="w-full border-collapse text-left text-ui">{children}</table>
    </ScrollBox>
  ),
  th: ({ children }) => (
    <th className="border-line border-b bg-panel px-3 py-1.5 font-semibold text-small">{children}</th>
  ),
  td: ({ children }) => <td className="border-line border-t px-3 py-1.5 align-top">{linked(children)}</td>,
  input: ({ checked }) => (
    <input type="checkbox" checked={checked === true} readOnly disabled aria-label="Item" className="mr-1.5" />
  ),
  a: ({ href, children }) => {
    const place = href === undefined ? null : filePlace(href, { bare: true });
    return place === null ? (
      <ExternalLink address={href} plainText={textOf(children)}>
        {children}
      </ExternalLink>
    ) : (
      <>
        <FileLink place={place}>{children}</FileLink>
        {textOf(children) !== href && <span className="text-muted text-small"> ({href})</span>}
      </>
    );
  },
  img: ({ src, alt }) => (
    <span className="inline-flex items-center gap-1.5 rounded-small border border-line px-1.5 text-muted">
      <Image aria-hidden="true" size={14} strokeWidth={1.75} />
      <ExternalLink address={typeof src === 'string' ? src : undefined} plainText={alt ?? ''}>
        {alt === undefined || alt === '' ? 'picture, not loaded' : `${alt} (picture, not loaded)`}
      </ExternalLink>
    </span>
  ),
  pre: ({ children }) => {
    if (!isValidElement<{ className?: string; children?: ReactNode }>(children)) return <pre>{children}</pre>;
    const language = /language-(\S+)/.exec(children.props.className ?? '')?.[1];
    return <CodeBlock code={textOf(children.props.children).replace(/\n$/, '')} language={language} />;
  },
  code: ({ children }) => {
    const place = filePlace(textOf(children));
    return (
      <code className="chat-verbatim rounded-small border border-line bg-code px-1 py-px font-mono text-[12.5px]">
        {place === null ? children : <FileLink place={place}>{children}</FileLink>}
      </code>
    );
  },
};

/** The text inside rendered nodes. */
function textOf(node: ReactNode): string {
  if (typeof node === 'string' || typeof node === 'number') return String(node);
  if (Array.isArray(node)) return node.map(textOf).join('');
  if (isValidElement<{ children?: ReactNode }>(node)) return textOf(node.props.children);
  return '';
}
