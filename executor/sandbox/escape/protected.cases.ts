import { attemptsOf } from './attempt';
import { python } from './python';

const held = /Read-only file system|busy|cross-device|Permission denied|not permitted|Is a directory/i;
/** Planted where git would run it. */
const planted = `'echo x >"$OUT/ran"'`;
const inGit = { repository: true as const, needs: ['git'] };

export const protectedPlaces = attemptsOf('protected places', [
  { name: 'write settings', script: 'echo "{}" >.claude/settings.json', held },
  { name: 'put another file over settings', script: 'echo "{}" >new && mv -f new .claude/settings.json', held },
  { name: 'remove settings', script: 'rm -f .claude/settings.json', held },
  { name: 'change the mode of settings', script: 'chmod 777 .claude/settings.json', held },
  { name: 'write settings by a hard link', script: 'ln .claude/settings.json own && echo x >>own', held },
  { name: 'add a file to a protected folder', script: 'echo "{}" >.claude/settings.local.json', held },
  {
    name: 'rename a protected folder and make another',
    script: 'mv .claude old && mkdir .claude && echo "{}" >.claude/settings.json',
    held,
  },
  {
    name: 'rename the folder above a protected one and make another',
    script: 'mv sub old && mkdir -p sub/.claude && echo "{}" >sub/.claude/settings.json',
    held,
  },
  {
    name: 'exchange the folder above a protected one',
    script: python(
      'os.makedirs("new/.claude")\nopen("new/.claude/settings.json", "w").close()\ncall(pick(316, 276), -100, b"new", -100, b"sub", 2)',
    ),
    held: /refused (EBUSY|EXDEV|EROFS|EPERM)/,
    needs: ['python3'],
  },
  { name: 'make a protected file that is missing', script: 'echo "{}" >.mcp.json', held },
  { name: 'make a protected file by a rename', script: 'echo "{}" >new && mv -f new .mcp.json', held },
  { name: 'make a link in the place of a protected file', script: 'echo "{}" >own; ln -sfn own .mcp.json', held },
  {
    name: 'make a protected folder that is missing',
    script: 'mkdir -p .vscode && echo "{}" >.vscode/tasks.json',
    held,
  },
  {
    name: 'make a protected file in a folder that is missing',
    script: 'mkdir -p deep/er && echo x >deep/er/.bashrc',
    held,
  },
  { name: 'write where a protected link leads', script: 'echo x >>dotfiles/profile', held },
  {
    name: 'turn a protected link elsewhere',
    // The link may be put back afterwards instead.
    script: 'echo x >own; ln -sfn "$PWD/own" .profile && echo turned',
    held: /turned|busy|Read-only/,
  },
  {
    name: 'add a hook',
    script: `printf '#!/bin/sh\\n%s\\n' ${planted} >.git/hooks/pre-commit && chmod +x .git/hooks/pre-commit`,
    later: 'git commit -q --allow-empty -m later',
    held,
    ...inGit,
  },
  {
    name: 'change a hook that is there',
    script: `printf '%s\\n' ${planted} >>.git/hooks/post-commit`,
    later: 'git commit -q --allow-empty -m later',
    held,
    ...inGit,
  },
  {
    name: 'put another folder of hooks in place',
    script: `mkdir mine && printf '#!/bin/sh\\n%s\\n' ${planted} >mine/pre-commit && chmod +x mine/pre-commit && mv .git/hooks .git/old && mv mine .git/hooks`,
    later: 'git commit -q --allow-empty -m later',
    held,
    ...inGit,
  },
  {
    name: 'have git start a program by its config',
    script: `git config core.fsmonitor ${planted}`,
    later: 'git status',
    held: /could not (write|lock) config|Read-only|busy|not permitted/i,
    ...inGit,
  },
  {
    name: 'write the config',
    script: `printf '[core]\\nfsmonitor = sh -c "echo x >$OUT/ran"\\n' >>.git/config`,
    later: 'git status',
    held,
    ...inGit,
  },
  {
    name: 'move the repository and make another',
    script: `cp -r .git mine && git --git-dir=mine config core.fsmonitor ${planted} && mv .git old && mv mine .git`,
    later: 'git status',
    held,
    ...inGit,
  },
  {
    name: 'lead git to another config',
    script: `mkdir mine && cp -r .git/config .git/objects .git/refs mine/ && git config -f mine/config core.fsmonitor ${planted} && echo ../mine >.git/commondir && echo led`,
    later: 'git status',
    held: /led/,
    ...inGit,
  },
  {
    name: 'write the config of a checkout of its own',
    script: `git config -f .git/config.worktree core.fsmonitor ${planted} && echo written`,
    later: 'git status',
    held: /could not|Read-only|written/,
    ...inGit,
  },
  {
    name: 'add a hook to a submodule',
    script: `printf '#!/bin/sh\\n%s\\n' ${planted} >.git/modules/lib/hooks/pre-commit && chmod +x .git/modules/lib/hooks/pre-commit`,
    later: 'git --git-dir=.git/modules/lib --work-tree=. commit -q --allow-empty -m later',
    held,
    ...inGit,
  },
  {
    name: 'add a hook where the config says that hooks are',
    script: `printf '#!/bin/sh\\n%s\\n' ${planted} >githooks/pre-commit && chmod +x githooks/pre-commit`,
    later: 'git -c core.hooksPath=githooks commit -q --allow-empty -m later',
    held,
    ...inGit,
  },
  {
    name: 'write a file that the config includes',
    script: `git config -f included.config core.fsmonitor ${planted}`,
    later: 'git status',
    held: /could not|Read-only/,
    ...inGit,
  },
  {
    name: 'write the config of a repository that git looks into by itself',
    script: `git -C known config core.fsmonitor ${planted}`,
    later: 'git status',
    held: /could not|Read-only/,
    ...inGit,
  },
  {
    name: 'put another in the place of a repository that git looks into by itself',
    script: `rm -rf known; mv known gone; git init -q known && git -C known -c user.name=a -c user.email=a@example.org commit -q --allow-empty -m one && git -C known config core.fsmonitor ${planted}`,
    later: 'git status',
    held: /busy|could not|Read-only/,
    ...inGit,
  },
  {
    name: 'fill the empty place of a repository that git looks into by itself',
    script: `git init -q empty && git -C empty -c user.name=a -c user.email=a@example.org commit -q --allow-empty -m one && git -C empty config core.fsmonitor ${planted} && echo filled`,
    later: 'git status',
    held: /filled|could not|Read-only/,
    ...inGit,
  },
  {
    name: 'make a repository that git looks into by itself',
    script: `git init -q inner && git -C inner -c user.name=a -c user.email=a@example.org commit -q --allow-empty -m one && git -C inner config core.fsmonitor ${planted} && git add inner && echo added`,
    later: 'git status',
    held: /added|could not|Read-only/,
    ...inGit,
  },
]);
