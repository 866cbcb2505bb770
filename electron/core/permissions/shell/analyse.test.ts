import { beforeAll, describe, expect, it } from 'vitest';
import { analyseShell } from './analyse';
import { loadSecondParser } from './treeSitter';

beforeAll(loadSecondParser);

const analyse = (command: string) => analyseShell({ command, cwd: '/ws', home: '/home/u' });

/** `name args @folders`, with `>` in front of what was found inside another command. */
function shown(command: string): readonly string[] {
  return analyse(command).parts.map((part) => {
    const words = part.words.map((word) => word.value).join(' ');
    return `${part.nested ? '> ' : ''}${words} @${part.cwds?.join(',') ?? '?'}`;
  });
}

describe('parts and folders', () => {
  it.each([
    ['ls', ['ls @/ws']],
    ['ls && pwd', ['ls @/ws', 'pwd @/ws']],
    ['cd a && ls', ['cd a @/ws', 'ls @/ws/a']],
    ['cd a; ls', ['cd a @/ws', 'ls @/ws/a,/ws']],
    ['cd a || ls', ['cd a @/ws', 'ls @/ws']],
    ['cd a && cd b && ls', ['cd a @/ws', 'cd b @/ws/a', 'ls @/ws/a/b']],
    ['(cd a && ls); pwd', ['cd a @/ws', 'ls @/ws/a', 'pwd @/ws']],
    ['cd a | ls', ['cd a @/ws', 'ls @/ws']],
    ['cd a & ls', ['cd a @/ws', 'ls @/ws']],
    ['cd $X && ls', ['cd $X @/ws', 'ls @?']],
    ['cd ~ && ls', ['cd ~ @/ws', 'ls @/home/u']],
    ['cd - && ls', ['cd - @/ws', 'ls @?']],
    ['command cd a && ls', ['command cd a @/ws', 'ls @/ws/a', '> cd a @/ws']],
    ['if true; then cd a; fi; ls', ['true @/ws', 'cd a @/ws', 'ls @/ws,/ws/a']],
    ['for i in 1; do ls; cd a; done', ['ls @?', 'cd a @?']],
    ['f() { cd a; }; f; ls', ['cd a @?', 'f @?', 'ls @?']],
    ['eval x; ls', ['eval x @/ws', 'ls @?', '> x @/ws', '> x @/ws']],
    ['echo $(cd a; ls) x', ['cd a @/ws', 'ls @/ws/a,/ws', 'echo $(cd a; ls) x @/ws']],
    ['sudo sh -c "ls; pwd"', ['sudo sh -c ls; pwd @/ws', '> sh -c ls; pwd @/ws', '> ls @/ws', '> pwd @/ws']],
  ])('%s', (command, parts) => {
    expect(shown(command)).toEqual(parts);
  });
});

describe('what nothing may allow', () => {
  it.each([
    ['ls &&', 'it is not complete shell'],
    ['ls "', 'it is not complete shell'],
    ['ls $(', 'it is not complete shell'],
    ['cat <<EOF\nx', 'a here-document without its end'],
    ['<&-rm x', 'is read in two ways'],
    ['ls {fd}> x', 'a redirect to a variable'],
    ['l\u200bs', 'invisible characters'],
    ['ls \u0007', 'invisible characters'],
    [`ls ${'a'.repeat(10_000)}`, 'longer than 10,000 characters'],
    [`ls ${'a'.repeat(300_000)}`, 'longer than 10,000 characters'],
    ['l\\\ns', 'the two shell parsers'],
    ['{ls,-la}', 'the two shell parsers'],
    ['coproc ls', 'the two shell parsers'],
  ])('%j', (command, problem) => {
    expect(analyse(command).problems.join('; ')).toContain(problem);
  });

  it.each([
    'git commit -m "fix: a && b; c | d"',
    "grep -n 'foo|bar' src/app.ts",
    'git commit -m "$(cat <<\'EOF\'\nRename `load`\nEOF\n)"',
    'npm run test 2>&1 | tail -n 5',
    'FOO=1 BAR="a b" make -j4 > out.txt 2> err.txt < in.txt',
    'if [ -f a ]; then echo "yes"; elif [[ -d b ]]; then echo no; else true; fi',
    'for f in *.ts; do echo "$f"; done',
    'while read -r line; do echo "$line"; done < in.txt',
    'case "$x" in a|b) echo 1 ;; *) echo 2 ;; esac',
    'echo "é ü 漢字 👍" # note',
    "cat > a.txt <<'EOF'\nhello $(rm x)\nEOF",
    'make || { echo failed; exit 1; }',
    'export A=1 B=2; unset A',
    'diff <(ls a) <(ls b)',
    'time make',
    '! make',
    'a=(1 2 3)',
    'ls >/dev/null 2>&1 &',
  ])('both parsers agree on %j', (command) => {
    expect(analyse(command).problems).toEqual([]);
  });
});

it('finds redirects at any depth, with the folders they start from', () => {
  const found = analyse('(ls > a); { ls; } >> b; cd d && ls 2> c; echo $(ls > e); if ls; then pwd; fi < f');
  expect(found.redirects.map((one) => [one.operator, one.target.value, one.cwds, one.afterCd])).toEqual([
    ['>', 'a', ['/ws'], false],
    ['>>', 'b', ['/ws'], false],
    ['>', 'c', ['/ws/d'], true],
    ['>', 'e', ['/ws/d', '/ws'], true],
    ['<', 'f', ['/ws/d', '/ws'], true],
  ]);
});
