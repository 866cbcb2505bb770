import { attemptsOf } from './attempt';
import { python } from './python';

const withPython = { needs: ['python3'] };
const megabyte = 1_048_576;
const memory = { policy: { limits: { memoryBytes: 96 * megabyte } } };

export const limits = attemptsOf('limits', [
  {
    name: 'more memory than allowed',
    script: python('try:\n  held = bytearray(200 << 20)\n  reached()\nexcept MemoryError: print("no memory")'),
    held: /no memory|limit|Killed/i,
    ...memory,
    ...withPython,
  },
  {
    name: 'more memory than allowed, in many processes',
    script: python(
      `import signal
children = []
for index in range(6):
  child = os.fork()
  if child == 0:
    try: held = bytearray(b"x" * (40 << 20))
    except MemoryError: os._exit(1)
    signal.pause()
  children.append(child)
time.sleep(2)
alive = [child for child in children if os.waitpid(child, os.WNOHANG)[0] == 0]
print("alive", len(alive), flush=True)
if len(alive) == 6: reached()
for child in alive: os.kill(child, 9)`,
    ),
    held: /alive [0-5]|limit|^$/,
    ...memory,
    ...withPython,
  },
  {
    name: 'more memory than allowed, as files in memory',
    script:
      'head -c 200M /dev/zero >"/dev/shm/$TOKEN" && echo REACHED; rm -f "/dev/shm/$TOKEN"; head -c 200M /dev/zero >"/tmp/$TOKEN" && echo REACHED; rm -f "/tmp/$TOKEN"',
    held: /No space left|File size limit|limit/i,
    ...memory,
  },
  {
    name: 'more processes than allowed',
    script:
      'for n in $(seq 1 60); do sleep 3 & done 2>&1; sleep 1; n=$(jobs -r | wc -l); echo running $n; if test $n -ge 60; then echo REACHED; fi; kill $(jobs -p)',
    held: /running ([0-9]|[1-4][0-9])\s|fork: |limit|^$/,
    policy: { limits: { processes: 30 } },
  },
  {
    name: 'a larger file than allowed',
    script: 'head -c 40M /dev/zero >big; test $(stat -c %s big) -gt 30000000 && echo REACHED; stat -c "holds %s" big',
    held: /File too large|File size limit|limit/i,
    policy: { limits: { fileBytes: 16 * megabyte } },
  },
  {
    name: 'a larger file than allowed, by a hole in it',
    script: 'truncate -s 40M big && echo REACHED; true',
    held: /File too large|File size limit/i,
    policy: { limits: { fileBytes: 16 * megabyte } },
  },
]);

const readOnly = /Read-only file system|EROFS|read-only/i;

export const programs = attemptsOf('programs that run code', [
  {
    name: 'a script of a package that is installed',
    script: `mkdir pkg && echo '{"name":"evil","version":"1.0.0","scripts":{"install":"echo x >\\"$OUT/ran\\""}}' >pkg/package.json && cd pkg && npm_config_cache=/tmp/gatehouse-cache-$TOKEN npm rebuild --foreground-scripts --offline --no-audit --no-update-notifier 2>&1 | tail -5; npm_config_cache=/tmp/gatehouse-cache-$TOKEN npm run --offline --no-update-notifier install 2>&1 | tail -5; rm -rf /tmp/gatehouse-cache-$TOKEN`,
    held: readOnly,
    needs: ['npm'],
    timeoutMs: 15_000,
  },
  {
    name: 'a recipe of make',
    script: `printf 'all:\\n\\techo x >"$(OUT)/ran"\\n' >Makefile && make`,
    held: readOnly,
    needs: ['make'],
  },
  {
    name: 'a hook that is there already',
    script: 'git checkout -q -b other',
    held: readOnly,
    repository: true,
    needs: ['git'],
  },
  {
    name: 'a transport of git',
    script: `printf 'echo x >"$OUT/ran"' >own.sh; git -c protocol.ext.allow=always clone -q 'ext::sh own.sh' copy`,
    held: readOnly,
    needs: ['git'],
  },
  {
    name: 'settings of git for all repositories',
    script: 'git config --global core.pager "echo x"',
    held: /could not lock config|Read-only/,
    needs: ['git'],
  },
  {
    name: 'a module that Python loads by itself',
    script: 'mkdir -p ~/.local/lib/python3/site-packages && echo x >~/.local/lib/python3/site-packages/x.pth',
    held: readOnly,
  },
  {
    name: 'variables for programs that start later',
    script: 'mkdir -p ~/.config/environment.d && echo LD_PRELOAD=x >~/.config/environment.d/x.conf',
    held: readOnly,
  },
  { name: 'settings of npm', script: 'echo "script-shell=/bin/x" >~/.npmrc', held: readOnly },
]);
