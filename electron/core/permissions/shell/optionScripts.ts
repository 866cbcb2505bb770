// Programs and scripts that stand in options and variables of other programs: they run without being a command of the line.
import type { ShellPart } from './walk';
import { baseName } from './wrappers';

/** Options whose value is run, by program: each gives its value behind `=`, glued on, or as the next word. */
const running: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    tar: '-I --use-compress-program --to-command --info-script -F --new-volume-script --rsh-command',
    bsdtar: '--use-compress-program',
    rsync: '-e --rsh --rsync-path',
    scp: '-S',
    sftp: '-S',
    sort: '--compress-program',
    rg: '--pre --hostname-bin',
    zip: '-TT --unzip-command',
    man: '-P --pager',
    split: '--filter',
    less: '',
    ssh: '',
    make: '',
    gdb: '-ex -iex',
    sed: '',
    git: '',
  }).map(([name, options]) => [name, options.split(' ').filter((option) => option !== '')]),
);

/** Variables that hold a program for others to run. */
const variables =
  /^(GIT_(SSH(_COMMAND)?|EXTERNAL_DIFF|PAGER|EDITOR|SEQUENCE_EDITOR|ASKPASS|PROXY_COMMAND)|SSH_ASKPASS|(MAN|SYSTEMD_)?PAGER|EDITOR|VISUAL|BROWSER|LESSOPEN|LESSCLOSE|RSYNC_RSH|SHELL|MAKEFLAGS|CC|CXX)$/;

/** Other places of a word that hold a script. */
const hidden: readonly RegExp[] = [
  /^--checkpoint-action=exec=(.+)$/s,
  /^(?:-o)?(?:ProxyCommand|LocalCommand|KnownHostsCommand)[= ](.+)$/is,
  /^\+!(.+)$/s,
  /^(?:!|shell )\s*(.+)$/s,
  /^SHELL=(.+)$/s,
  /^ext::(.+)$/s,
];

function valuesOf(options: readonly string[], words: ShellPart['words']): readonly string[] {
  return words.flatMap((word, at) => {
    const value = word.values[0] ?? word.value;
    for (const option of options) {
      if (value === option) return words[at + 1]?.values.slice(0, 1) ?? [];
      if (value.startsWith(`${option}=`)) return [value.slice(option.length + 1)];
      if (option.length === 2 && value.startsWith(option)) return [value.slice(2)];
    }
    return [];
  });
}

/** `1e command` of sed. */
function runBySed(words: ShellPart['words']): readonly string[] {
  return words.flatMap(({ value }) =>
    [...value.matchAll(/(?:^|[;{}\s\d$/])e[ \t]+([^\n;}]+)/g)].map((found) => found[1] ?? ''),
  );
}

/** Scripts in the options of a command and in the variables that it gets. */
export function optionScripts(part: ShellPart): readonly string[] {
  const assigned = part.assignments
    .filter(({ name }) => variables.test(name))
    .flatMap(({ word }) => word?.values ?? []);
  const name = baseName(part.words[0]?.values[0] ?? '');
  const args = part.words.slice(1);
  const exported = /^(export|declare|typeset|env)$/.test(name)
    ? args.flatMap(({ values }) =>
        values.flatMap((value) =>
          variables.test(value.split('=', 1)[0] ?? '') ? [value.slice(value.indexOf('=') + 1)] : [],
        ),
      )
    : [];
  const scripts = [...assigned, ...exported].map((script) => script.replace(/^\|+-?\s*/, ''));
  const options = running.get(name);
  if (options === undefined) return scripts;
  return [
    ...scripts,
    ...valuesOf(options, args),
    ...args.flatMap(({ value }) => hidden.flatMap((place) => place.exec(value)?.[1] ?? [])),
    ...(name === 'sed' ? runBySed(args) : []),
  ];
}
