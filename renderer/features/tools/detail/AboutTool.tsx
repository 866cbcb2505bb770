import type { ToolView } from '#shared/api/tools';
import { VisibleText } from '../../../ui/VisibleText';
import { ScrollBox } from '../../chat/views/ScrollBox';
import { counted, sentence } from '../../frame/words';
import { type Field, fieldOf } from '../form/fieldOf';
import { Part } from './Part';

/** What the model is told of a tool, and what the tool says of itself. */
export function AboutTool({ tool }: { readonly tool: ToolView }) {
  const foreign = tool.origin.kind === 'mcp';
  return (
    <>
      <Part title={foreign ? 'Description, written by the server' : 'Description, as the model gets it'}>
        {tool.description === '' ? (
          <p className="text-muted">It has none.</p>
        ) : (
          <ScrollBox label="Description" className="max-h-72 overflow-y-auto">
            <p className="chat-verbatim">
              <VisibleText text={tool.description} />
            </p>
          </ScrollBox>
        )}
      </Part>
      <Part title="Input">
        <Inputs tool={tool} />
      </Part>
      <Part title="What it says of itself">
        <ul className="flex flex-col gap-1 text-muted">
          {traits(tool).map((trait) => (
            <li key={trait}>{trait}</li>
          ))}
        </ul>
        {tool.aliases.length === 0 ? null : (
          <p className="chat-verbatim mt-1 text-muted">
            Also called{' '}
            <span className="font-mono text-mono">
              <VisibleText text={tool.aliases.join(', ')} />
            </span>
          </p>
        )}
        {tool.hint === '' ? null : (
          <p className="chat-verbatim mt-1 text-muted">
            Found by: <VisibleText text={tool.hint} />
          </p>
        )}
      </Part>
    </>
  );
}

function traits({ capabilities, origin }: ToolView): readonly string[] {
  const { canBeReadOnly, asksPerson, onStop, maxResultChars, alwaysLoad, shouldDefer } = capabilities;
  const loading = alwaysLoad ? 'Always loaded.' : shouldDefer ? 'Deferred unless everything is loaded.' : '';
  return [
    canBeReadOnly ? 'Some of its calls only read.' : 'Every call may change something.',
    asksPerson ? 'Needs you at the screen.' : '',
    onStop === 'cancel' ? 'A stop ends a running call.' : 'A stop waits for the end of a running call.',
    maxResultChars === null
      ? 'Pages long results by itself.'
      : `Longer results than ${counted(maxResultChars, 'character')} are kept in a file.`,
    loading,
    origin.kind === 'mcp' ? 'These are the words of its server; they grant nothing.' : '',
  ].filter((text) => text !== '');
}

function Inputs({ tool }: { readonly tool: ToolView }) {
  const field = fieldOf(tool.schema);
  if (field.kind !== 'object') return <p className="text-muted">It takes any JSON object.</p>;
  if (field.fields.length === 0) return <p className="text-muted">It takes none.</p>;
  return (
    <dl className="flex flex-col gap-2.5">
      {field.fields.map(({ name, required, field: inner }) => (
        <div key={name}>
          <dt className="flex flex-wrap items-baseline gap-x-2">
            <code className="chat-verbatim font-medium font-mono text-mono">
              <VisibleText text={name} />
            </code>
            <span className="text-muted text-small">
              {kindWords(inner)}
              {required ? ', required' : ''}
            </span>
          </dt>
          {inner.description === '' ? null : (
            <dd className="chat-verbatim text-muted text-small">
              <VisibleText text={sentence(inner.description)} />
            </dd>
          )}
        </div>
      ))}
    </dl>
  );
}

function kindWords(field: Field): string {
  switch (field.kind) {
    case 'string':
      return 'text';
    case 'number':
      return field.whole ? 'whole number' : 'number';
    case 'boolean':
      return 'yes or no';
    case 'choice':
      return `one of ${field.options.map(String).join(', ')}`;
    case 'list':
      return `list: ${kindWords(field.item)}`;
    case 'object':
      return 'object';
    case 'json':
      return 'JSON';
  }
}
