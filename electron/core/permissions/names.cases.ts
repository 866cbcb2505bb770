// Hosts, servers, agents, skills and parameters.
import type { Behavior } from '#shared/permissions/decision';
import { type CaseCall, type CaseGroup, fetchUrl, read } from './cases';

function rows(behavior: Behavior, calls: readonly CaseCall[]): readonly (readonly [CaseCall, Behavior])[] {
  return calls.map((call): readonly [CaseCall, Behavior] => [call, behavior]);
}

export const nameCases: readonly CaseGroup[] = [
  {
    about: 'hosts',
    allow: ['WebFetch(domain:example.org)'],
    rows: [
      ...rows(
        'allow',
        [
          'https://example.org',
          'http://example.org/a?b',
          'https://EXAMPLE.org/',
          'https://example.org./',
          'https://example.org:8443/',
          'https://u:p@example.org/',
          'https://example.org#x',
          'HTTPS://example.org/x',
        ].map(fetchUrl),
      ),
      ...rows(
        'ask',
        [
          'https://a.example.org',
          'https://example.org.evil.com',
          'https://evil.com/example.org',
          'https://example.org@evil.com/',
          'https://evil.com?example.org',
          'https://evilexample.org',
          'https://example.com',
          'https://evil.com\\@example.org',
          'https://example.org%2eevil.com',
          'https://xn--exmple-cua.org',
        ].map(fetchUrl),
      ),
    ],
  },
  {
    about: 'hosts',
    allow: ['WebFetch(domain:*.example.org)'],
    rows: [
      ...rows('allow', ['https://a.example.org', 'https://a.b.example.org/'].map(fetchUrl)),
      ...rows('ask', ['https://example.org', 'https://evilexample.org'].map(fetchUrl)),
    ],
  },
  {
    about: 'hosts',
    allow: ['WebFetch(domain:api.*.org)'],
    rows: [
      [fetchUrl('https://api.x.org'), 'allow'],
      ...rows('ask', ['https://api.x.y.org', 'https://api.org'].map(fetchUrl)),
    ],
  },
  {
    about: 'hosts',
    allow: ['WebFetch(domain:*)'],
    rows: [
      [fetchUrl('https://anything.example'), 'allow'],
      // Nothing but a rule that names them opens this machine and private networks.
      ...rows(
        'ask',
        [
          'http://127.0.0.1',
          'http://localhost:3000',
          'http://169.254.169.254/',
          'http://10.0.0.1',
          'http://192.168.1.1',
          'http://[::1]/',
        ].map(fetchUrl),
      ),
    ],
  },
  { about: 'hosts', allow: ['WebFetch'], rows: [[fetchUrl('https://anything.example'), 'allow']] },
  { about: 'hosts', allow: ['WebFetch(*)'], rows: [[fetchUrl('https://x.example'), 'allow']] },
  {
    about: 'hosts',
    rows: [
      ...rows(
        'ask',
        [
          'https://x.example',
          'https://github.com/a',
          'https://pypi.org',
          'https://docs.python.org.evil.com',
          'https://evil.com/docs.python.org',
          'http://docs.python.org@evil.com',
        ].map(fetchUrl),
      ),
      ...rows(
        'allow',
        [
          'https://docs.python.org/3',
          'https://react.dev',
          'https://nodejs.org/api',
          'https://developer.mozilla.org/x',
          'https://kubernetes.io',
        ].map(fetchUrl),
      ),
      [['WebSearch', { query: 'x' }], 'ask'],
    ],
  },
  { about: 'hosts', deny: ['WebFetch(domain:react.dev)'], rows: [[fetchUrl('https://react.dev'), 'deny']] },
  { about: 'hosts', ask: ['WebFetch(domain:react.dev)'], rows: [[fetchUrl('https://react.dev'), 'ask']] },
  { about: 'hosts', ask: ['WebFetch'], rows: [[fetchUrl('https://react.dev'), 'ask']] },
  { about: 'hosts', deny: ['WebFetch'], rows: [[fetchUrl('https://react.dev'), 'deny']] },
  { about: 'hosts', allow: ['WebFetch(example.org)'], rows: [[fetchUrl('https://example.org'), 'ask']] },
  { about: 'hosts', allow: ['WebFetch(domain:https://example.org)'], rows: [[fetchUrl('https://example.org'), 'ask']] },
  {
    about: 'hosts',
    allow: ['WebFetch(domain:example.org:8443)'],
    rows: [[fetchUrl('https://example.org:8443'), 'ask']],
  },
  { about: 'hosts', allow: ['WebFetch(domain:EXAMPLE.org)'], rows: [[fetchUrl('https://example.org'), 'allow']] },
  { about: 'hosts', allow: ['WebFetch(domain:example.org.)'], rows: [[fetchUrl('https://example.org'), 'allow']] },
  { about: 'hosts', allow: ['WebFetch(domain: example.org)'], rows: [[fetchUrl('https://example.org'), 'ask']] },
  {
    about: 'hosts',
    deny: ['WebFetch(domain:127.0.0.1)'],
    rows: [
      ...rows(
        'deny',
        ['http://127.0.0.1:3000', 'http://127.1', 'http://2130706433', 'http://0x7f.1', 'http://0177.0.0.1'].map(
          fetchUrl,
        ),
      ),
    ],
  },
  { about: 'hosts', allow: ['WebFetch(domain:localhost)'], rows: [[fetchUrl('http://localhost:3000'), 'allow']] },
  {
    about: 'hosts',
    deny: ['WebFetch(domain:*.example.org)'],
    rows: [...rows('deny', ['https://a.example.org.', 'https://A.B.example.ORG'].map(fetchUrl))],
  },
  {
    about: 'hosts',
    allow: ['WebFetch(domain:*)'],
    deny: ['WebFetch(domain:*evil*)'],
    rows: [...rows('allow', ['https://evil.com', 'https://an-evil.com', 'https://evil-x.com'].map(fetchUrl))],
  },
  { about: 'hosts', allow: ['WebSearch'], rows: [[['WebSearch', { query: 'x' }], 'allow']] },
  { about: 'hosts', deny: ['WebSearch'], rows: [[['WebSearch', { query: 'x' }], 'deny']] },
  { about: 'hosts', allow: ['WebSearch(x)'], rows: [[['WebSearch', { query: 'x' }], 'ask']] },
  {
    about: 'servers and their tools',
    allow: ['mcp__a'],
    rows: [
      [['mcp__a__x', {}], 'allow'],
      [['mcp__a__y_z', {}], 'allow'],
      [['mcp__ab__x', {}], 'ask'],
      [['mcp__b__x', {}], 'ask'],
    ],
  },
  { about: 'servers and their tools', allow: ['mcp__a__*'], rows: [[['mcp__a__x', {}], 'allow']] },
  {
    about: 'servers and their tools',
    allow: ['mcp__a__get*'],
    rows: [
      [['mcp__a__get', {}], 'allow'],
      [['mcp__a__get_x', {}], 'allow'],
      [['mcp__a__set', {}], 'ask'],
    ],
  },
  { about: 'servers and their tools', allow: ['mcp__a__*x'], rows: [[['mcp__a__fx', {}], 'allow']] },
  { about: 'servers and their tools', allow: ['mcp__*'], rows: [[['mcp__a__x', {}], 'ask']] },
  { about: 'servers and their tools', allow: ['mcp__a*'], rows: [[['mcp__a__x', {}], 'ask']] },
  { about: 'servers and their tools', allow: ['mcp__*__get'], rows: [[['mcp__a__get', {}], 'ask']] },
  { about: 'servers and their tools', allow: ['*'], rows: [[['mcp__a__x', {}], 'ask']] },
  { about: 'servers and their tools', deny: ['mcp__*'], rows: [[['mcp__a__x', {}], 'deny']] },
  { about: 'servers and their tools', deny: ['mcp__a'], rows: [[['mcp__a__x', {}], 'deny']] },
  { about: 'servers and their tools', deny: ['*__x'], rows: [[['mcp__a__x', {}], 'deny']] },
  {
    about: 'servers and their tools',
    deny: ['mcp__a__x'],
    rows: [
      [['mcp__a__x', {}], 'deny'],
      [['mcp__a__xy', {}], 'ask'],
      [['mcp__a__X', {}], 'ask'],
    ],
  },
  { about: 'servers and their tools', deny: ['*'], rows: [[['mcp__a__x', {}], 'deny']] },
  { about: 'servers and their tools', deny: ['mcp__a*'], rows: [[['mcp__ab__x', {}], 'deny']] },
  { about: 'servers and their tools', allow: ['mcp__a__x(y)'], rows: [[['mcp__a__x', {}], 'ask']] },
  { about: 'servers and their tools', deny: ['mcp__a__x(k:v)'], rows: [[['mcp__a__x', { k: 'v' }], 'ask']] },
  {
    about: 'servers and their tools',
    source: 'cliArg',
    deny: ['mcp__a__x(k:v)'],
    rows: [[['mcp__a__x', { k: 'w' }], 'ask']],
  },
  { about: 'servers and their tools', allow: ['mcp__a'], ask: ['mcp__a__x'], rows: [[['mcp__a__x', {}], 'ask']] },
  { about: 'servers and their tools', allow: ['MCP__a'], rows: [[['mcp__a__x', {}], 'ask']] },
  { about: 'servers and their tools', allow: ['mcp__A'], rows: [[['mcp__a__x', {}], 'ask']] },
  { about: 'servers and their tools', rows: [[['mcp__a__x', {}], 'ask']] },
  { about: 'servers and their tools', mode: 'bypassPermissions', rows: [[['mcp__a__x', {}], 'allow']] },
  { about: 'servers and their tools', mode: 'dontAsk', rows: [[['mcp__a__x', {}], 'deny']] },
  { about: 'servers and their tools', allow: ['mcp__a'], mode: 'dontAsk', rows: [[['mcp__a__x', {}], 'allow']] },
  { about: 'servers and their tools', mode: 'acceptEdits', rows: [[['mcp__a__x', {}], 'ask']] },
  { about: 'servers and their tools', mode: 'plan', rows: [[['mcp__a__x', {}], 'ask']] },
  { about: 'servers and their tools', allow: ['mcp__a'], mode: 'plan', rows: [[['mcp__a__x', {}], 'ask']] },
  { about: 'servers and their tools', allow: ['mcp__a__x'], rows: [[['mcp__a__x', {}], 'allow']] },
  { about: 'servers and their tools', allow: ['mcp__a__'], rows: [[['mcp__a__x', {}], 'ask']] },
  { about: 'agents', rows: [[['Agent', { subagent_type: 'Explore', description: 'd', prompt: 'p' }], 'allow']] },
  {
    about: 'agents',
    deny: ['Agent(Explore)'],
    rows: [
      [['Agent', { subagent_type: 'Explore', description: 'd', prompt: 'p' }], 'deny'],
      [['Task', { subagent_type: 'Explore', description: 'd', prompt: 'p' }], 'deny'],
    ],
  },
  {
    about: 'agents',
    deny: ['Task(Explore)'],
    rows: [[['Agent', { subagent_type: 'Explore', description: 'd', prompt: 'p' }], 'deny']],
  },
  {
    about: 'agents',
    ask: ['Agent(Explore)'],
    rows: [[['Agent', { subagent_type: 'Explore', description: 'd', prompt: 'p' }], 'ask']],
  },
  {
    about: 'agents',
    deny: ['Agent'],
    rows: [[['Agent', { subagent_type: 'Explore', description: 'd', prompt: 'p' }], 'deny']],
  },
  {
    about: 'agents',
    deny: ['Task'],
    rows: [[['Agent', { subagent_type: 'Explore', description: 'd', prompt: 'p' }], 'deny']],
  },
  {
    about: 'agents',
    ask: ['Agent'],
    rows: [[['Agent', { subagent_type: 'Explore', description: 'd', prompt: 'p' }], 'ask']],
  },
  {
    about: 'agents',
    deny: ['Agent(Plan)'],
    rows: [[['Agent', { subagent_type: 'Explore', description: 'd', prompt: 'p' }], 'allow']],
  },
  {
    about: 'agents',
    deny: ['Agent(explore)'],
    rows: [[['Agent', { subagent_type: 'Explore', description: 'd', prompt: 'p' }], 'allow']],
  },
  {
    about: 'agents',
    deny: ['Agent(subagent_type:Explore)'],
    rows: [[['Agent', { subagent_type: 'Explore', description: 'd', prompt: 'p' }], 'deny']],
  },
  {
    about: 'agents',
    deny: ['Agent(subagent_type:*)'],
    rows: [[['Agent', { subagent_type: 'Explore', description: 'd', prompt: 'p' }], 'deny']],
  },
  {
    about: 'agents',
    deny: ['Agent(subagent_type:Ex*)'],
    rows: [[['Agent', { subagent_type: 'Explore', description: 'd', prompt: 'p' }], 'deny']],
  },
  {
    about: 'agents',
    deny: ['Agent(model:opus)'],
    rows: [
      [['Agent', { subagent_type: 'Explore', description: 'd', prompt: 'p' }], 'allow'],
      [['Agent', { subagent_type: 'Explore', description: 'd', prompt: 'p', model: 'opus' }], 'deny'],
    ],
  },
  {
    about: 'agents',
    deny: ['Agent(model:*)'],
    rows: [[['Agent', { subagent_type: 'Explore', description: 'd', prompt: 'p' }], 'allow']],
  },
  {
    about: 'agents',
    deny: ['Agent(model : opus)'],
    rows: [[['Agent', { subagent_type: 'Explore', description: 'd', prompt: 'p', model: 'opus' }], 'deny']],
  },
  {
    about: 'agents',
    deny: ['Agent(E*)'],
    rows: [[['Agent', { subagent_type: 'Explore', description: 'd', prompt: 'p' }], 'allow']],
  },
  {
    about: 'agents',
    deny: ['Agent(*)'],
    rows: [[['Agent', { subagent_type: 'Explore', description: 'd', prompt: 'p' }], 'deny']],
  },
  {
    about: 'agents',
    ask: ['Agent(run_in_background:true)'],
    rows: [[['Agent', { subagent_type: 'Explore', description: 'd', prompt: 'p', run_in_background: true }], 'ask']],
  },
  {
    about: 'agents',
    ask: ['Agent(Explore)'],
    mode: 'acceptEdits',
    rows: [[['Agent', { subagent_type: 'Explore', description: 'd', prompt: 'p' }], 'ask']],
  },
  {
    about: 'agents',
    ask: ['Agent(Explore)'],
    mode: 'dontAsk',
    rows: [[['Agent', { subagent_type: 'Explore', description: 'd', prompt: 'p' }], 'deny']],
  },
  {
    about: 'agents',
    deny: ['Agent(Explore,Plan)'],
    rows: [[['Agent', { subagent_type: 'Explore', description: 'd', prompt: 'p' }], 'allow']],
  },
  { about: 'skills', rows: [[['Skill', { skill: 'deploy' }], 'ask']] },
  { about: 'skills', allow: ['Skill(deploy)'], rows: [[['Skill', { skill: 'deploy' }], 'allow']] },
  { about: 'skills', allow: ['Skill(/deploy)'], rows: [[['Skill', { skill: 'deploy' }], 'allow']] },
  { about: 'skills', allow: ['Skill(dep*)'], rows: [[['Skill', { skill: 'deploy' }], 'ask']] },
  { about: 'skills', allow: ['Skill(deploy *)'], rows: [[['Skill', { skill: 'deploy' }], 'allow']] },
  { about: 'skills', allow: ['Skill'], rows: [[['Skill', { skill: 'deploy' }], 'allow']] },
  { about: 'skills', deny: ['Skill(deploy)'], rows: [[['Skill', { skill: 'deploy' }], 'deny']] },
  { about: 'skills', ask: ['Skill(deploy)'], rows: [[['Skill', { skill: 'deploy' }], 'ask']] },
  { about: 'skills', allow: ['Skill(other)'], rows: [[['Skill', { skill: 'deploy' }], 'ask']] },
  { about: 'skills', deny: ['Skill(skill:deploy)'], rows: [[['Skill', { skill: 'deploy' }], 'deny']] },
  { about: 'skills', allow: ['Skill'], ask: ['Skill(skill:deploy)'], rows: [[['Skill', { skill: 'deploy' }], 'ask']] },
  { about: 'skills', allow: ['Skill(skill:deploy)'], rows: [[['Skill', { skill: 'deploy' }], 'ask']] },
  { about: 'skills', allow: ['Skill(Deploy)'], rows: [[['Skill', { skill: 'deploy' }], 'ask']] },
  { about: 'skills', allow: ['Skill'], ask: ['Skill(deploy)'], rows: [[['Skill', { skill: 'deploy' }], 'ask']] },
  { about: 'skills', deny: ['Skill(*)'], rows: [[['Skill', { skill: 'deploy' }], 'deny']] },
  {
    about: 'parameters',
    deny: ['Bash(run_in_background:true)'],
    rows: [
      [['Bash', { command: 'ls', run_in_background: true }], 'deny'],
      ['ls', 'allow'],
    ],
  },
  { about: 'parameters', deny: ['Bash(command:ls)'], rows: [['ls', 'allow']] },
  {
    about: 'parameters',
    allow: ['WebSearch'],
    ask: ['WebSearch(query:x*)'],
    rows: [[['WebSearch', { query: 'xy' }], 'ask']],
  },
  { about: 'parameters', deny: ['Read(file_path:*)'], rows: [[read('/ws/a'), 'allow']] },
  { about: 'parameters', deny: ['Read(limit:5)'], rows: [[['Read', { file_path: '/ws/a', limit: 5 }], 'allow']] },
  {
    about: 'parameters',
    deny: ['Grep(output_mode:content)'],
    rows: [[['Grep', { pattern: 'x', output_mode: 'content' }], 'deny']],
  },
];
