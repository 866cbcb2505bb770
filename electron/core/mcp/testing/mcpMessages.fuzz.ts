// What MCP servers answer: tools, results, prompts, questions. Nothing of it breaks what shows it, keeps it or sends it on.
import type { ElicitRequestParams } from '@modelcontextprotocol/client';
import fc from 'fast-check';
import { Question } from '#shared/session/ask';
import { ResultBlock } from '#shared/session/events';
import { fuzzTarget, must, type OpenTargets } from '#shared/testing/fuzzTarget';
import { damagedJson, deepText, hostileJson, hostileText, inPieces } from '#shared/testing/hostile';
import { View } from '#shared/tools/presentation';
import { checkInput } from '../checkInput';
import { elicit } from '../elicitation';
import { ToolCollector } from '../listedTools';
import { mcpTool } from '../mcpTool';
import { serverKeys, toolNames } from '../names';
import { promptText } from '../offers';
import { blocksOf, CallAnswer, resourceBlocks } from '../results';
import { ServerOutput } from '../serverOutput';
import { toolSchema } from '../toolSchema';

const parsedDeep = deepText.map((text): unknown => JSON.parse(text));
const type = fc.constantFrom('object', 'string', 'number', 'integer', 'boolean', 'array', 'null', 'x');
const { schema } = fc.letrec<{ schema: unknown; fields: unknown }>((tie) => ({
  fields: fc.dictionary(fc.oneof(fc.constantFrom('a', 'b', 'path'), hostileText), tie('schema'), { maxKeys: 3 }),
  schema: fc.oneof(
    { maxDepth: 3, depthIdentifier: 'schema' },
    fc.record(
      {
        type: fc.oneof(type, fc.array(type, { maxLength: 2 })),
        description: hostileText,
        enum: fc.array(hostileJson, { maxLength: 3 }),
        const: hostileJson,
        pattern: fc.oneof(fc.constantFrom('(a+)+$', '('), hostileText),
        minLength: hostileJson,
        default: hostileJson,
        $ref: fc.constantFrom('#', '#/$defs/a', '#/properties/a', '#/a/b', 'https://example.org/s'),
      },
      { requiredKeys: [] },
    ),
    fc.record(
      {
        type: fc.constant('object'),
        properties: tie('fields'),
        required: fc.oneof(fc.array(fc.oneof(fc.constantFrom('a', 'b'), hostileText), { maxLength: 3 }), hostileJson),
        additionalProperties: fc.oneof(fc.boolean(), tie('schema')),
        items: tie('schema'),
        anyOf: fc.array(tie('schema'), { maxLength: 3 }),
        allOf: fc.array(tie('schema'), { maxLength: 3 }),
        oneOf: fc.array(tie('schema'), { maxLength: 3 }),
        not: tie('schema'),
        $defs: tie('fields'),
        $ref: fc.constantFrom('#', '#/$defs/a', '#/properties/a'),
      },
      { requiredKeys: ['type'] },
    ),
  ),
}));
const tool = fc.record(
  {
    name: fc.oneof(fc.constantFrom('read', 'read_file', 'a'.repeat(300)), hostileText),
    title: hostileText,
    description: hostileText,
    inputSchema: schema,
    annotations: fc.record({ readOnlyHint: fc.boolean(), destructiveHint: fc.boolean(), title: hostileText }),
    _meta: fc.dictionary(fc.constantFrom('anthropic/maxResultSizeChars', 'anthropic/alwaysLoad', 'x'), hostileJson),
  },
  { requiredKeys: ['name', 'inputSchema'] },
);

const answer = fc.record(
  {
    content: fc.array(
      fc.oneof(
        hostileText.map((text) => ({ type: 'text', text })),
        fc.record({
          type: fc.constantFrom('image', 'audio'),
          data: fc.oneof(fc.base64String(), hostileText),
          mimeType: fc.oneof(fc.constantFrom('image/png', 'image/svg+xml'), hostileText),
        }),
        fc.record({
          type: fc.constantFrom('resource', 'resource_link'),
          uri: hostileText,
          name: hostileText,
          resource: fc.record(
            { uri: hostileText, text: hostileText, blob: hostileText, mimeType: hostileText },
            { requiredKeys: [] },
          ),
        }),
        hostileJson,
      ),
      { maxLength: 4 },
    ),
    structuredContent: hostileJson,
    isError: fc.boolean(),
  },
  { requiredKeys: [] },
);

const place = { sessionId: 's', callId: 'c', folder: '/srv/app', cwd: '/srv/app', home: '/home/u' };

const tools = fuzzTarget(fc, {
  name: 'tools',
  inputs: fc.record({
    page: fc.array(
      fc.oneof(
        { weight: 5, arbitrary: tool },
        { weight: 3, arbitrary: tool.chain(damagedJson) },
        hostileJson,
        parsedDeep.map((deep) => ({ name: 'deep', inputSchema: deep })),
      ),
      { maxLength: 4 },
    ),
    server: hostileText,
    input: fc.oneof({ weight: 9, arbitrary: hostileJson }, { weight: 1, arbitrary: parsedDeep }),
    answer: fc.oneof(answer, answer.chain(damagedJson)),
  }),
  corpus: [],
  async check({ page, server, input, answer: given }) {
    const collector = new ToolCollector();
    collector.add(page);
    void collector.problems;
    const key = serverKeys([server]).get(server);
    must(key !== undefined, 'a server without a key');
    const names = toolNames(
      key,
      collector.tools.map(({ originalName }) => originalName),
    );
    const read = CallAnswer.safeParse(given);
    for (const one of collector.tools) {
      const name = names.get(one.originalName);
      must(name !== undefined && /^[a-zA-Z0-9_-]{1,64}$/.test(name.name), 'a name that models cannot use', name);
      const made = mcpTool({
        serverName: server,
        tool: one,
        name,
        alwaysLoad: false,
        resultChars: 1_000,
        connection: { call: () => Promise.reject(new Error('not called')) },
        isChanged: () => false,
      });
      must(JSON.stringify(made.inputJSONSchema?.() ?? {}).length < 2_000_000, 'a schema without end');
      const checked = made.inputSchema().safeParse(input);
      if (!checked.success) continue;
      const value = checked.data;
      made.getToolUseSummary(value, place);
      must(View.safeParse(made.renderUse(value, place)).success, 'a view that the page cannot show');
      if (!read.success) continue;
      const blocks = blocksOf(read.data);
      must(View.safeParse(made.renderResult(blocks, value, place).view).success, 'a view of a result');
    }
    await Promise.resolve();
  },
});

const results = fuzzTarget(fc, {
  name: 'results',
  inputs: fc.oneof(answer, answer.chain(damagedJson), hostileJson),
  corpus: [],
  check(given) {
    const read = CallAnswer.safeParse(given);
    if (read.success)
      for (const one of blocksOf(read.data))
        must(ResultBlock.safeParse(one).success, 'a block that the log cannot keep', one);
    const list = Array.isArray(given) ? given : [given];
    for (const one of resourceBlocks(list)) must(ResultBlock.safeParse(one).success, 'a block of a resource', one);
    promptText(list);
  },
});

const inputs = fuzzTarget(fc, {
  name: 'inputs',
  inputs: fc.record({ raw: schema, input: hostileJson }),
  corpus: [],
  check({ raw, input }) {
    const made = toolSchema(raw);
    if (made.ok) checkInput(made.value.check, input);
  },
});

const questions = fuzzTarget(fc, {
  name: 'questions',
  inputs: fc.record({
    params: fc.oneof(
      fc.record({ message: hostileText, requestedSchema: schema }),
      fc.record({
        mode: fc.constant('url'),
        message: hostileText,
        url: fc.oneof(fc.webUrl(), hostileText),
        elicitationId: hostileText,
      }),
    ),
    pick: fc.nat(5),
  }),
  corpus: [],
  async check({ params, pick }) {
    const { signal } = new AbortController();
    await elicit('server', params as ElicitRequestParams, {
      signal,
      askPerson: (asked) => {
        for (const one of asked) must(Question.safeParse(one).success, 'a question that the page cannot show', one);
        const answers = asked.map(({ question, options }): [string, string[]] => [
          question,
          [options[pick]?.label ?? 'x'],
        ]);
        return Promise.resolve({ answered: true, answers: Object.fromEntries(answers) });
      },
    });
  },
});

// biome-ignore lint/suspicious/noControlCharactersInRegex: what must not be shown
const hidden = /[\u0000-\u0008\u001b\u202a-\u202e\u2066-\u2069]/;

const printed = fuzzTarget(fc, {
  name: 'printed beside the protocol',
  inputs: fc.record({ text: fc.array(hostileText, { maxLength: 6 }), cuts: fc.array(fc.nat(5_000), { maxLength: 5 }) }),
  corpus: [],
  check({ text, cuts }) {
    const output = new ServerOutput();
    for (const piece of inPieces(Buffer.from(text.join('')), cuts)) output.add(Buffer.from(piece));
    must(!hidden.test(output.text), 'control characters are shown', output.text);
    must(output.lastLine.length <= 300, 'a reason without end');
  },
});

export function open(): OpenTargets {
  return { targets: [tools, results, inputs, questions, printed] };
}
