import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { examineRule } from './deadRules';
import { formatRule, parseRule } from './rule';

describe('parseRule', () => {
  it.each([
    ['Bash', { tool: 'Bash', content: null }],
    ['Bash(*)', { tool: 'Bash', content: '*' }],
    ['Bash(echo (a) b)', { tool: 'Bash', content: 'echo (a) b' }],
    ['Bash()', { tool: 'Bash', content: '' }],
    ['toString', { tool: 'toString', content: null }],
    ['mcp__a__b', { tool: 'mcp__a__b', content: null }],
    ['Bash(a\nb)', { tool: 'Bash', content: 'a\nb' }],
  ])('%s', (text, rule) => {
    expect(parseRule(text)).toEqual({ ok: true, value: rule });
  });

  it.each([' Bash(x)', 'Bash(x) ', 'Bash(npm publish)*', 'Bash(x', 'Bash)', '', '(x)', 'Ba sh'])(
    'refuses "%s"',
    (text) => {
      expect(parseRule(text).ok).toBe(false);
    },
  );

  it('gives back what was formatted', () => {
    const tool = fc.stringMatching(/^[^\s()]+$/);
    fc.assert(
      fc.property(tool, fc.option(fc.string({ unit: 'binary' }), { nil: null }), (name, content) => {
        expect(parseRule(formatRule({ tool: name, content }))).toEqual({ ok: true, value: { tool: name, content } });
      }),
    );
  });
});

describe('examineRule', () => {
  it.each([
    ['Bash(npm:*)', 'deny'],
    ['Bash(npm  *)', 'deny'],
    ['Bash(npm**)', 'deny'],
    ['Bash', 'allow'],
    ['Bash(timeout:*)', 'allow'],
    ['Bash(curl https://x/?a=b)', 'allow'],
    ['Bash(run_in_background:true)', 'ask'],
    ['Skill(/deploy)', 'deny'],
    ['Skill(deploy *)', 'allow'],
    ['Agent(model : opus)', 'ask'],
    ['mcp__*', 'deny'],
    ['*query', 'deny'],
    ['mcp__db__*', 'allow'],
    ['WebFetch(domain:*.example.org)', 'allow'],
    ['Read(!secrets/public.txt)', 'deny'],
    ['Write', 'deny'],
    ['Edit(/src/**)', 'allow'],
    ['PowerShell(Remove-Item:*)', 'deny'],
    ['TaskStop(task_id:3)', 'deny'],
  ] as const)('%s in %s does what it says', (text, behavior) => {
    expect(examineRule(text, behavior)).toBeNull();
  });

  it.each([
    ['Bash( npm:*)', 'deny', 'Bash(npm:*)'],
    ['Bash(npm:* )', 'deny', 'Bash(npm:*)'],
    [' Bash(npm:*)', 'deny', 'Bash(npm:*)'],
    ['Bash(npm:*) ', 'deny', 'Bash(npm:*)'],
    ['Bash(:*)', 'deny', 'Bash'],
    ['Bash()', 'deny', 'Bash'],
    ['Bash(npm*:*)', 'deny', 'Bash(npm* *)'],
    ['Bash(git:* push)', 'allow', 'Bash(git * push)'],
    ['Bash(command:rm *)', 'allow', 'Bash(rm *)'],
    ['bash(npm:*)', 'deny', 'Bash(npm:*)'],
    ['Bash(npm publish)*', 'deny', undefined],
    ['Bas*', 'allow', undefined],
    ['mcp__*', 'allow', undefined],
    ['mcp__db__', 'deny', 'mcp__db'],
    ['mcp__db__q(a:b)', 'deny', 'mcp__db__q'],
    ['Write(src/**)', 'allow', 'Edit(src/**)'],
    ['NotebookEdit(a.ipynb)', 'deny', 'Edit(a.ipynb)'],
    ['Grep(src/**)', 'deny', 'Read(src/**)'],
    ['WebFetch(example.org)', 'allow', 'WebFetch(domain:example.org)'],
    ['WebFetch(domain:**)', 'allow', 'WebFetch(domain:*)'],
    ['WebFetch(domain:example.org:8443)', 'deny', 'WebFetch(domain:example.org)'],
    ['WebFetch(domain:https://example.org)', 'deny', 'WebFetch(domain:example.org)'],
    ['WebFetch(domain:bücher.example)', 'deny', undefined],
    ['Agent(E*)', 'deny', undefined],
    ['Agent( Explore )', 'deny', 'Agent(Explore)'],
    ['Skill(dep*)', 'deny', 'Skill(dep *)'],
    ['Agent(model:opus)', 'allow', undefined],
    ['Read(src/../a.ts)', 'deny', undefined],
    ['Read($HOME/.ssh/**)', 'deny', 'Read(~/.ssh/**)'],
    ['Edit({a,b}.ts)', 'allow', undefined],
    ['Read(!a.ts)', 'allow', undefined],
    ['Read(C:\\proj\\a.ts)', 'deny', 'Read(//c/proj/a.ts)'],
    ['PowerShell(Get-Date)', 'allow', undefined],
    ['REPL(1 + 1)', 'allow', undefined],
    // Mended, these would allow every command.
    ['Bash()', 'allow', undefined],
    ['Bash( )', 'allow', undefined],
    ['Bash( * )', 'allow', undefined],
    ['Bash(:*)', 'allow', undefined],
    ['Monitor(:*)', 'allow', undefined],
    ['Monitor()', 'allow', undefined],
    ['PowerShell()', 'allow', undefined],
    ['REPL()', 'allow', undefined],
    [' Bash', 'allow', undefined],
    ['bash', 'allow', undefined],
    ['bash(*)', 'allow', undefined],
    ['Bash( )', 'deny', 'Bash'],
    ['Bash()', 'ask', 'Bash'],
    ['PowerShell()', 'deny', 'PowerShell'],
    ['REPL()', 'deny', 'REPL'],
    ['Monitor(:*)', 'ask', 'Monitor'],
    ['bash', 'deny', 'Bash'],
    ['Read()', 'allow', 'Read'],
    ['WebFetch()', 'allow', 'WebFetch'],
    ['bash(npm:*)', 'allow', 'Bash(npm:*)'],
  ] as const)('%s in %s is dead', (text, behavior, instead) => {
    const problem = examineRule(text, behavior);
    expect({ inForce: problem?.inForce, instead: problem?.instead }).toEqual({ inForce: false, instead });
  });

  it.each([
    ['Bash(npm te?t)', 'Bash(npm te*t)'],
    ['Read(/home/me/x)', 'Read(//home/me/x)'],
    ['toString', undefined],
    ['REPL(1 + 1)', 'REPL'],
    ['some_tool(x)', 'some_tool'],
  ])('%s is only warned about', (text, instead) => {
    const problem = examineRule(text, 'deny');
    expect({ inForce: problem?.inForce, instead: problem?.instead }).toEqual({ inForce: true, instead });
  });
});
