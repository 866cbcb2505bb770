// Settings files as people, other programs and crashes leave them: what a rule forbids stays forbidden, whatever else stands
// beside it and however it is written.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { type FuzzPlace, fuzzTarget, must, type OpenTargets } from '#shared/testing/fuzzTarget';
import { damagedJson, damagedText, deepText, hostileJson, hostileText } from '#shared/testing/hostile';
import { isNestedTooDeep } from '#shared/util/nesting';
import { readServers } from '../../mcp/readServers';
import { memoryView } from '../../permissions/caseWorld';
import { decide } from '../../permissions/decide';
import { gatherFacts, type Place } from '../../permissions/facts';
import { type LoadedFile, loadRuleFile } from '../../permissions/ruleFile';
import { buildRuleSet } from '../../permissions/ruleSet';
import { loadSecondParser } from '../../permissions/shell/treeSitter';
import { checkSettingsText } from '../checkText';
import { repairSettingsText } from '../repairText';
import { addRules, readSettingsText } from '../settingsText';

const place: Place = {
  folder: '/ws',
  cwd: '/ws',
  home: '/home/u',
  additional: [],
  privateFiles: [],
  platform: 'linux',
  ignoreCase: false,
};
const disk = memoryView(new Map());
const strictness = { allow: 0, ask: 1, deny: 2 };
const commands = ['make all', 'node x', 'git push', 'rm -rf build', 'echo a > out', 'curl https://example.org'];
const facts = new Map<string, ReturnType<typeof gatherFacts>>();

/** What the rules of a file come to, one letter for each command. */
function decisionsOf(file: Pick<LoadedFile, 'rules'>): readonly ('allow' | 'ask' | 'deny')[] {
  const rules = buildRuleSet(file.rules, place, disk);
  const own = { behavior: 'passthrough' } as const;
  return commands.map((command) => {
    const known =
      facts.get(command) ??
      gatherFacts(
        {
          toolName: 'Bash',
          isMcp: false,
          isReadOnly: false,
          input: { command },
          facts: [{ kind: 'command', command, cwd: '/ws' }],
          own,
        },
        place,
        disk,
      );
    facts.set(command, known);
    return decide({ facts: known, own, rules, mode: 'acceptEdits' }).behavior;
  });
}

const rule = fc.constantFrom(
  ...[
    'Bash',
    'Bash(make:*)',
    'Bash(node *)',
    'Bash(git push)',
    'Bash(rm*)',
    'Edit(**)',
    'Edit(/out)',
    'Bash(*)',
    '*',
    'Bash(curl:*)',
  ],
);
const lists = fc.record({
  allow: fc.array(rule, { maxLength: 4 }),
  ask: fc.array(rule, { maxLength: 3 }),
  deny: fc.array(rule, { maxLength: 3 }),
});
type Lists = Readonly<Record<'allow' | 'ask' | 'deny', readonly string[]>>;

/** The same text, some of its letters written as escapes. */
function escaped(json: string, every: number): string {
  return json.replaceAll(/"(?:[^"\\]|\\.)*"/g, (text) => {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'string') return text;
    const letters = [...value].map((letter, index) => {
      const plain = JSON.stringify(letter).slice(1, -1);
      if (index % every > 0 || letter.length > 1) return plain;
      return `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;
    });
    return `"${letters.join('')}"`;
  });
}

/** What is nested deeper is refused as a whole. */
const shallow = hostileJson.filter((one) => !isNestedTooDeep([[[[one]]]]));

const noise = fc.record({
  /** What is no rule stands among the rules. */
  junk: fc.array(
    fc.tuple(
      fc.constantFrom('allow' as const, 'ask' as const, 'deny' as const),
      fc.nat(5),
      shallow.filter((one) => typeof one !== 'string'),
    ),
    { maxLength: 3 },
  ),
  /** More of everything that restricts. */
  denied: fc.array(
    hostileText.filter((text) => !text.includes('(!')),
    { maxLength: 2 },
  ),
  beside: fc.dictionary(
    fc
      .oneof(
        fc.constantFrom(
          'hooks',
          'env',
          'sandbox',
          'model',
          'mcpServers',
          'autoMode',
          'statusLine',
          '__proto__',
          '$schema',
        ),
        hostileText,
      )
      .filter((name) => !/^(permissions|always)/.test(name)),
    shallow,
    { maxKeys: 4 },
  ),
  within: fc.dictionary(
    fc
      .oneof(
        fc.constantFrom(
          'defaultMode',
          'disableBypassPermissionsMode',
          'additionalDirectories',
          'blockReadsOutsideWorkingDirectories',
        ),
        hostileText,
      )
      .filter((name) => !/^(allow|ask|deny|always)/.test(name)),
    shallow,
    { maxKeys: 3 },
  ),
  indent: fc.constantFrom(0, 2, '\t'),
  escapes: fc.constantFrom(0, 1, 2, 5),
  mark: fc.boolean(),
  ends: fc.boolean(),
  reversed: fc.boolean(),
  blanks: fc.constantFrom('', '\n', '  \n\n', '\r\n\t'),
});

function noisy(rules: Lists, how: typeof noise extends fc.Arbitrary<infer T> ? T : never): string {
  const withJunk = Object.fromEntries(
    Object.entries(rules).map(([key, texts]): [string, unknown[]] => {
      const all: unknown[] = [...texts, ...(key === 'deny' ? how.denied : [])];
      for (const [list, at, what] of how.junk) if (list === key) all.splice(at, 0, what);
      return [key, all];
    }),
  );
  const permissions = { ...how.within, ...withJunk };
  const fields = Object.entries({ ...how.beside, permissions });
  let text = JSON.stringify(Object.fromEntries(how.reversed ? fields.reverse() : fields), null, how.indent);
  if (how.escapes > 0) text = escaped(text, how.escapes);
  if (how.ends) text = text.replaceAll('\n', '\r\n');
  return (how.mark ? '\uFEFF' : '') + how.blanks + text + how.blanks;
}

export async function open({ folder }: FuzzPlace): Promise<OpenTargets> {
  await loadSecondParser();
  const path = join(folder, 'settings.json');
  const load = (text: string, previous?: LoadedFile): LoadedFile => {
    writeFileSync(path, text);
    return loadRuleFile({ source: 'userSettings', path, sourceFolder: null, previous, owner: null });
  };

  const written = fuzzTarget(fc, {
    name: 'written otherwise',
    inputs: fc.record({ rules: lists, how: noise }),
    corpus: [],
    check({ rules, how }) {
      const clean = decisionsOf(load(JSON.stringify({ permissions: rules })));
      const file = load(noisy(rules, how));
      must(file.file.state === 'read', 'what is JSON could not be read', file.file);
      const after = decisionsOf(file);
      for (const [index, behavior] of clean.entries()) {
        const other = after[index] ?? 'allow';
        must(strictness[other] >= strictness[behavior], `${commands[index]} became more permissive`, {
          behavior,
          other,
        });
      }
    },
  });

  const valid = lists.map((permissions) => JSON.stringify({ permissions, hooks: {}, env: { A: 'b' } }, null, 2));
  const text = fc.oneof(
    { weight: 4, arbitrary: valid.chain(damagedText) },
    {
      weight: 2,
      arbitrary: lists
        .map((permissions): unknown => ({ permissions }))
        .chain(damagedJson)
        .map((one) => JSON.stringify(one) ?? ''),
    },
    { weight: 1, arbitrary: hostileText },
    {
      weight: 1,
      arbitrary: fc
        .tuple(deepText, fc.constantFrom('', '{"permissions":', '{"permissions":{"deny":'))
        .map(([deep, head]) => `${head}${deep}}}`),
    },
  );
  const damaged = fuzzTarget(fc, {
    name: 'damaged',
    inputs: fc.record({ rules: lists, text }),
    corpus: [],
    check({ rules, text: now }) {
      const before = load(JSON.stringify({ permissions: rules }));
      const after = load(now, before);
      if (after.file.state === 'broken')
        must(JSON.stringify(after.rules) === JSON.stringify(before.rules), 'a broken file changed what is in force');
      load(now);
      checkSettingsText(now);
      const repaired = repairSettingsText(now);
      if (repaired !== null) {
        must(readSettingsText(repaired.after).ok, 'a repair that does not parse', repaired.after);
        must(repairSettingsText(repaired.after) === null, 'a repair that wants a repair', repaired.after);
      }
      const added = addRules(now, 'deny', ['Bash(make:*)']);
      if (added.ok) {
        const read = readSettingsText(added.value);
        must(read.ok, 'an edit that does not parse', added.value);
        const denied = JSON.stringify(read.value.value).includes('Bash(make:*)');
        must(denied, 'an added rule is not there', added.value);
      }
    },
  });

  const servers = fuzzTarget(fc, {
    name: 'servers of a project',
    inputs: fc
      .dictionary(
        fc.oneof(fc.constantFrom('db', 'a b'), hostileText),
        fc.record(
          {
            command: hostileText,
            args: fc.array(hostileText, { maxLength: 3 }),
            url: hostileText,
            type: fc.constantFrom('stdio', 'http', 'sse', 'ws'),
          },
          { requiredKeys: [] },
        ),
        { maxKeys: 4 },
      )
      .chain(damagedJson),
    corpus: [],
    check(value) {
      readServers(value, { scope: 'project', file: '/ws/.mcp.json', from: '.mcp.json' });
    },
  });
  return { targets: [written, damaged, servers] };
}
