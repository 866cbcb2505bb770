import { expect, test } from 'vitest';
import { harmlessConfig } from './newRepository';

const main = { worktree: false };

test('what git itself writes stays as it is', () => {
  const text = [
    '[core]',
    '\trepositoryformatversion = 0',
    '\tfilemode = true',
    '\tbare = false',
    '# a remark',
    '[remote "origin"]',
    '\turl = https://example.org/a.git',
    '\tfetch = +refs/heads/*:refs/remotes/origin/*',
    '[branch "main"]',
    '\tremote = origin',
    '\tmerge = refs/heads/main',
    '[extensions]',
    '\tobjectFormat = sha256',
    '',
  ].join('\n');
  expect(harmlessConfig(text, main)).toBe(text);
});

test.each([
  '[core]\n\tfsmonitor = touch ran',
  '[core]\n\thooksPath = hooks',
  '[core]\n\tHOOKSPATH = hooks',
  '[core]\n\tsshCommand = touch ran',
  '[core]\n\tpager = touch ran',
  '[core]\n\tworktree = /',
  '[core] fsmonitor = touch ran',
  '[core]\n\tbare = false ; \\\n\tfsmonitor = touch ran',
  '[core]\n\tbare = "false\\\n\tfsmonitor = touch ran',
  '[core "x"]\n\tfsmonitor = touch ran',
  '[core]\n[alias]\n\tst = !touch ran',
  '[filter "x"]\n\tclean = touch ran',
  '[diff "x"]\n\ttextconv = touch ran',
  '[include]\n\tpath = ../evil',
  '[includeIf "gitdir:/"]\n\tpath = ../evil',
  '[remote "origin"]\n\turl = ext::touch% ran',
  '[remote "origin"]\n\turl = "ext::touch% ran"',
  '[remote "origin"]\n\turl = -oProxyCommand=x',
  '[remote "origin"]\n\tuploadpack = touch ran',
  '[remote "origin"]\n\tvcs = x',
  '[submodule "x"]\n\tupdate = !touch ran',
  '[branch "x"]\n\tmerge = y\n[gpg]\n\tprogram = touch ran',
  '[extensions]\n\tworktreeConfig = true',
  '[odd section\n\tfsmonitor = touch ran',
  'fsmonitor = touch ran',
  '[toString]\n\tlength = touch ran',
])('%j runs nothing', (text) => {
  expect(harmlessConfig(text, main)).not.toMatch(
    /\bran\b|evil|-o|vcs|hookspath|worktree\s*=|worktreeconfig|^.*= *x$/im,
  );
});

test('a submodule may say where its files lie', () => {
  const text = '[core]\n\tworktree = ../../../lib\n';
  expect(harmlessConfig(text, { worktree: true })).toBe(text);
});
