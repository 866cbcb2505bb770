// @vitest-environment jsdom
import { beforeEach, expect, test } from 'vitest';
import type { RuleEdit } from '#shared/permissions/ruleEdits';
import { draftOf, editsOf, useRuleDraft } from './ruleDraft';

const add = (text: string): RuleEdit => ({ type: 'add', source: 'localSettings', behavior: 'allow', text });
const draft = (sessionId = 's1') => draftOf(useRuleDraft.getState(), sessionId);
const texts = () => editsOf(draft()).map((edit) => ('text' in edit ? edit.text : edit.type));

beforeEach(() => {
  sessionStorage.clear();
  useRuleDraft.setState(useRuleDraft.getInitialState(), true);
});

test('each thing that a person does is one step to undo and to make again, for each session apart', () => {
  const store = useRuleDraft.getState();
  store.add('s1', [add('Read'), add('Edit')]);
  store.add('s1', [add('Bash')]);
  store.add('s1', []);
  store.add('s2', [add('WebFetch')]);
  store.undo('s1');
  expect(texts()).toEqual(['Read', 'Edit']);
  store.undo('s1');
  store.undo('s1');
  expect(texts()).toEqual([]);
  store.redo('s1');
  store.redo('s1');
  store.redo('s1');
  expect(texts()).toEqual(['Read', 'Edit', 'Bash']);
  store.undo('s1');
  store.add('s1', [add('Glob')]);
  expect(draft()).toEqual({ steps: [[add('Read'), add('Edit')], [add('Glob')]], undone: [] });
  expect(editsOf(draft('s2'))).toEqual([add('WebFetch')]);
});

test('leaves one change out, and the step that held nothing else', () => {
  const store = useRuleDraft.getState();
  store.add('s1', [add('a')]);
  store.add('s1', [add('b'), add('c')]);
  store.drop('s1', 0);
  store.drop('s1', 1);
  expect(draft()).toEqual({ steps: [[add('b')]], undone: [] });
});

test('a cleared draft can be brought back', () => {
  const store = useRuleDraft.getState();
  store.add('s1', [add('a')]);
  const kept = draft();
  store.clear('s1');
  expect(editsOf(draft())).toEqual([]);
  store.restore('s1', kept);
  expect(texts()).toEqual(['a']);
});

test('outlives a reload, and what is kept and no draft is passed over', async () => {
  useRuleDraft.getState().add('s1', [add('a')]);
  const kept = sessionStorage.getItem('gatehouse.ruleDraft') ?? '';
  useRuleDraft.setState(useRuleDraft.getInitialState(), true);
  sessionStorage.setItem('gatehouse.ruleDraft', kept);
  await useRuleDraft.persist.rehydrate();
  expect(texts()).toEqual(['a']);
  for (const strange of [
    '{"state":{"drafts":{"s1":{"steps":[[{"type":"format"}]],"undone":[]}}},"version":0}',
    'no JSON',
  ]) {
    useRuleDraft.setState(useRuleDraft.getInitialState(), true);
    sessionStorage.setItem('gatehouse.ruleDraft', strange);
    await useRuleDraft.persist.rehydrate();
    expect(texts()).toEqual([]);
  }
});

test('edits are one list as long as nothing changes', () => {
  useRuleDraft.getState().add('s1', [add('a')]);
  expect(editsOf(draft())).toBe(editsOf(draft()));
  expect(editsOf(draft('none'))).toBe(editsOf(draft('other')));
});
