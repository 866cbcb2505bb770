import { describe, expect, it } from 'vitest';
import { exitOneIsAnswer, isPlainSequence, isSearchOrRead } from './commandShape';

describe('exit code 1 is an answer', () => {
  it.each([
    ['grep x a.txt', true],
    ['/usr/bin/grep x a.txt', true],
    ['LC_ALL=C grep x a.txt', true],
    ['rg x', true],
    ['find . -name x', true],
    ['diff a b', true],
    ['test -f a', true],
    ['[ -f a ]', true],
    ['git diff --exit-code', true],
    ['git grep x', true],
    ['cat a | grep x', true],
    ['grep x a > out.txt 2>&1', true],
    ['grep x a &> /dev/null', true],
    ['npm test; grep x a', true],
    ['npm test\ngrep x a', true],
    ['cd src && grep x a', true],
    ['grep x a || grep y a', true],
    ["grep 'a && b; c | d' f", true],
    ['grep "a; $HOME" f', true],
    ['grep x a # ; npm test', true],
    ['grep \\\n  x a', true],
    ['grep "unfinished', false],
    ['npm test', false],
    ['git status', false],
    ['git', false],
    ['cat a', false],
    ['grep x a | wc -l', false],
    ['npm test && grep x a', false],
    ['grep x a && npm test', false],
    ['grep x a; npm test', false],
    ['grep x $(npm test)', false],
    ['grep x "$(npm test)"', false],
    ['grep x `npm test`', false],
    ['diff <(npm a) b', false],
    ['grep x <<EOF\na\nEOF', false],
    ['(npm test) | grep x', false],
    ['if grep x a; then npm test; fi', false],
    ['! grep x a', false],
    ['grep x a & npm test', false],
    ['FOO=1', false],
    ['', false],
    [`grep ${'x'.repeat(10_000)}`, false],
  ])('%.60s → %s', (command, answer) => {
    expect(exitOneIsAnswer(command, '')).toBe(answer);
  });

  it('not when it was the cd that failed', () => {
    expect(exitOneIsAnswer('cd nowhere && grep x a', 'bash: line 1: cd: nowhere: No such file or directory')).toBe(
      false,
    );
    expect(exitOneIsAnswer('grep x a', 'b: cd: c')).toBe(true);
  });
});

describe('searching and reading', () => {
  it.each([
    ['ls -la', true],
    ['cat a | sort | uniq -c', true],
    ['find . -name x; wc -l a', true],
    ['cat a && npm test', false],
    ['cat a | xargs rm', false],
    ['echo a', false],
    ['cat $(npm bin)', false],
    ['', false],
  ])('%s → %s', (command, quiet) => {
    expect(isSearchOrRead(command)).toBe(quiet);
  });
});

describe('plain commands one after the other', () => {
  it.each([
    ['npm test', true],
    ['cd a && make -j4 | tee log; A=1 ls > out', true],
    ['npm start &', false],
    ['for f in *; do wc $f; done', false],
    ['(cd a; make)', false],
    ['make $(nproc)', false],
    ['echo "open', false],
    ['', false],
  ])('%s → %s', (command, plain) => {
    expect(isPlainSequence(command)).toBe(plain);
  });
});
