import { beforeAll, describe, expect, it } from 'vitest';
import { memoryView } from '../../permissions/caseWorld';
import { isReadOnlyCommand } from '../../permissions/readOnlyCommand';
import { loadSecondParser } from '../../permissions/shell/treeSitter';
import { builtInTools } from '../../tools/builtInTools';
import { allProbes } from '../probes/probes';
import { diffPolicies, type PolicyDiff } from './diffPolicies';
import { diffAsMarkdown, diffAsText } from './diffText';
import { sourcesOf } from './sourcesOf';

beforeAll(async () => loadSecondParser());

const host = {
  home: '/home/kim',
  data: null,
  privateFiles: [],
  platform: 'linux',
  view: memoryView(new Map([['/srv/app/package.json', '']])),
} as const;
const tools = builtInTools({ isReadOnlyCommand });

function diffOf(before: object | null, after: object | null): PolicyDiff {
  const [old, now] = [before, after].map((permissions) =>
    sourcesOf({
      folder: '/srv/app',
      home: host.home,
      settings: [
        {
          source: 'projectSettings',
          path: '.claude/settings.json',
          text: permissions === null ? null : JSON.stringify({ permissions }, null, 2),
        },
      ],
    }),
  );
  if (old?.ok !== true || now?.ok !== true) throw new Error('the settings do not parse');
  return diffPolicies({ before: old.value, after: now.value, host, tools });
}

describe('the probes', () => {
  it('are at least 120, each once, and all calls', () => {
    const probes = allProbes();
    expect(probes.length).toBeGreaterThanOrEqual(120);
    expect(new Set(probes.map((probe) => probe.line)).size).toBe(probes.length);
  });

  it('run nothing dangerous without a rule, and are all judged', () => {
    const diff = diffOf({}, { deny: ['*'] });
    // What only reads within the folder needs no rule.
    expect(diff.flips.every((flip) => flip.after === 'deny')).toBe(true);
    expect(diff.flips.filter((flip) => flip.before === 'allow').map((flip) => flip.line)).toEqual(
      diff.flips
        .filter((flip) => flip.before === 'allow')
        .map((flip) => flip.line)
        .filter((line) => /^(cat|Read) \.env$|^(Agent|docker inspect|printenv|env|git config --get)/.test(line)),
    );
  });
});

describe('a comparison', () => {
  it('says nothing where nothing changes', () => {
    const diff = diffOf({ allow: ['Bash(ls *)'] }, { allow: ['Bash(ls *)'] });
    expect(diff).toEqual({ rules: [], settings: [], flips: [], probes: diff.probes, looser: false });
    expect(diffAsText(diff)).toBe('Nothing about permissions changes.');
  });

  it('names rules that came, went, moved and changed their verdict', () => {
    const diff = diffOf(
      { allow: ['Bash(ls *)', 'Bash(git push *)'], ask: ['WebFetch'] },
      { allow: ['Bash(make *)', 'WebFetch'], deny: ['Bash(git push *)'] },
    );
    expect(
      diff.rules.map(({ kind, before, after }) => [kind, before?.behavior, after?.behavior, (after ?? before)?.text]),
    ).toEqual([
      ['added', undefined, 'allow', 'Bash(make *)'],
      ['removed', 'allow', undefined, 'Bash(ls *)'],
      ['verdict', 'allow', 'deny', 'Bash(git push *)'],
      ['verdict', 'ask', 'allow', 'WebFetch'],
    ]);
  });

  it('finds dangerous calls that become more permissive, and because of what', () => {
    const diff = diffOf({ deny: ['Bash(git push *)'] }, { allow: ['Bash(git push *)'] });
    expect(diff.looser).toBe(true);
    expect(diff.flips.find((flip) => flip.line === 'git push --force')).toEqual({
      danger: 'changes what others have',
      line: 'git push --force',
      before: 'deny',
      after: 'allow',
      because: 'Bash(git push *) · project, line 4',
      looser: true,
    });
    expect(diff.flips.every((flip) => flip.line.startsWith('git push'))).toBe(true);
  });

  it('does not call what is stricter more permissive', () => {
    const diff = diffOf({ allow: ['Bash(npm publish *)'] }, { ask: ['Bash(npm publish *)'] });
    expect([diff.looser, diff.flips.map((flip) => flip.looser)]).toEqual([false, [false]]);
  });

  it('looks at the mode that is started in, at folders and at switches', () => {
    const diff = diffOf(
      { disableBypassPermissionsMode: 'disable' },
      { defaultMode: 'acceptEdits', additionalDirectories: ['/srv/more'] },
    );
    expect(diff.settings).toEqual([
      { name: 'defaultMode', before: 'default', after: 'acceptEdits', looser: true },
      { name: 'disableBypassPermissionsMode', before: 'on', after: 'off', looser: true },
      { name: 'additionalDirectories', before: '', after: '/srv/more', looser: true },
    ]);
    expect(diff.flips.map((flip) => flip.line)).toContain('Write src/index.ts');
  });

  it('is readable as text and as Markdown, whatever a rule holds', () => {
    const diff = diffOf({}, { allow: ['Bash(npm publish *)'], deny: ['Bash(a | `b` \u202e)'] });
    const text = diffAsText(diff);
    expect(text).toContain('1 of ');
    expect(text).toContain(
      'ask to allow: npm publish   (changes what others have; Bash(npm publish *) · project, line 4)',
    );
    expect(text).toContain('+ deny Bash(a | `b` \\u{202e})');
    const markdown = diffAsMarkdown(diff);
    expect(markdown).toContain('| `npm publish` (changes what others have) | ask | **allow** |');
    expect(markdown).toContain('- `` + deny Bash(a \\| `b` \\u{202e}) ``');
  });

  it('fails for settings that do not parse, with the place', () => {
    const settings = [{ source: 'projectSettings', path: 'x.json', text: '{"a": ' }] as const;
    expect(sourcesOf({ folder: '/srv/app', home: '/home/kim', settings })).toMatchObject({ ok: false });
  });
});
