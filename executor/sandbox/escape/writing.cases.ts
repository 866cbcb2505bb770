import { attemptsOf } from './attempt';
import { python } from './python';

const readOnly = /Read-only file system/;
const withPython = { needs: ['python3'] };

export const writing = attemptsOf('writing outside', [
  { name: 'write a file by its path', script: 'echo x >"$OUT/note"', held: readOnly },
  { name: 'write by a way up', script: 'echo x >../outside/new', held: readOnly },
  { name: 'write through a link that is there', script: 'echo x >link-to-note', held: readOnly },
  { name: 'write through a link of its own', script: 'ln -s "$OUT/note" own && echo x >own', held: readOnly },
  { name: 'write through a link to a folder', script: 'ln -s "$OUT/folder" own && echo x >own/new', held: readOnly },
  {
    name: 'write through a chain of links',
    script: 'ln -s "$OUT" a; ln -s a b; ln -s b/folder c; echo x >c/new',
    held: readOnly,
  },
  { name: 'write by a hard link', script: 'ln "$OUT/note" own && echo x >>own', held: /cross-device link/ },
  {
    name: 'rename a file of outside into the folder',
    script: python('os.rename(OUT + "/note", "taken")'),
    held: /refused (EXDEV|EROFS)/,
    ...withPython,
  },
  {
    name: 'rename a file out of the folder',
    script: python('open("mine", "w").close()\nos.rename("mine", OUT + "/new")'),
    held: /refused (EXDEV|EROFS)/,
    ...withPython,
  },
  {
    name: 'exchange two names over the edge',
    script: python('open("mine", "w").close()\ncall(pick(316, 276), -100, b"mine", -100, (OUT + "/note").encode(), 2)'),
    held: /refused (EXDEV|EROFS)/,
    ...withPython,
  },
  {
    name: 'give a nameless file a name outside',
    script: python(
      'fd = os.open(".", os.O_TMPFILE | os.O_RDWR)\ncall(pick(265, 37), -100, b"/proc/self/fd/%d" % fd, -100, (OUT + "/new").encode(), 0x400)',
    ),
    held: /refused (EXDEV|EROFS)/,
    ...withPython,
  },
  { name: 'write by /proc/self/root', script: 'echo x >"/proc/self/root$OUT/note"', held: readOnly },
  { name: 'write by /proc/self/cwd', script: 'echo x >/proc/self/cwd/../outside/note', held: readOnly },
  {
    name: 'write by the root of its parent',
    script: 'echo x >"/proc/$PPID/root$OUT/note"',
    held: /Read-only file system|Permission denied/,
  },
  {
    name: 'write by the root of a process outside',
    script: 'echo x >"/proc/$VICTIM/root$OUT/note"',
    held: /No such file/,
    victim: true,
  },
  {
    name: 'open a file anew for writing by its descriptor',
    script: python(
      'fd = os.open(OUT + "/note", os.O_RDONLY)\nos.write(os.open("/proc/self/fd/%d" % fd, os.O_WRONLY), b"x")',
    ),
    held: /refused EROFS/,
    ...withPython,
  },
  {
    name: 'open a file by its handle',
    script: python(
      `handle = ctypes.create_string_buffer(struct.pack("Ii", 128, 0) + bytes(128))
mount = ctypes.c_int()
call(pick(303, 264), -100, (OUT + "/note").encode(), handle, ctypes.byref(mount), 0)
base = os.open(OUT, os.O_RDONLY)
os.write(call(pick(304, 265), base, handle, os.O_WRONLY), b"x")`,
    ),
    held: /refused EPERM/,
    ...withPython,
  },
  { name: 'remove a file', script: 'rm -f "$OUT/note"', held: readOnly },
  { name: 'make a folder', script: 'mkdir "$OUT/new"', held: readOnly },
  { name: 'make a link', script: 'ln -s /etc/passwd "$OUT/new"', held: readOnly },
  { name: 'make a pipe', script: 'mkfifo "$OUT/new"', held: readOnly },
  { name: 'change a mode', script: 'chmod 777 "$OUT/note"', held: readOnly },
  { name: 'change a time', script: 'touch -d 2001-01-01 "$OUT/note"', held: readOnly },
  { name: 'cut a file short', script: 'truncate -s 0 "$OUT/note"', held: readOnly },
  {
    name: 'change an attribute',
    script: python('os.setxattr(OUT + "/note", "user.gatehouse", b"x")\nreached()'),
    held: /refused EROFS/,
    ...withPython,
  },
  {
    name: 'mount the outside where it may write',
    script: 'mkdir mnt && mount --bind "$OUT" mnt && echo x >mnt/new; umount mnt 2>/dev/null',
    held: /permission denied|must be superuser|not permitted/i,
    needs: ['mount'],
  },
  {
    name: 'mount in a namespace of its own',
    script: `mkdir mnt && unshare -Urm sh -c 'mount --bind "$OUT" mnt && echo x >mnt/new'`,
    held: /unshare/,
    needs: ['unshare', 'mount'],
  },
  {
    name: 'make the whole disk writable',
    script: `unshare -Urm sh -c 'mount -o remount,bind,rw / && echo x >"$OUT/note"'; mount -o remount,bind,rw "$OUT" 2>&1`,
    held: /unshare.*(permission denied|must be superuser|not permitted|mount point)/is,
    needs: ['unshare', 'mount'],
  },
  {
    name: 'leave a file in the common temp',
    script: 'echo x >"/tmp/$TOKEN" && echo in a temp of its own',
    held: /of its own/,
  },
  {
    name: 'leave a file in shared memory',
    script: 'echo x >"/dev/shm/$TOKEN" && echo in memory of its own',
    held: /of its own/,
  },
  {
    name: 'write to files of the system',
    script:
      'for each in /etc /etc/passwd /etc/shadow /etc/sudoers.d /etc/cron.d /etc/profile.d /etc/ld.so.conf.d /usr/bin /usr/lib /usr/local/bin /boot /var/lib /var/spool/cron; do if test -w $each; then echo REACHED $each; fi; done; echo looked',
    held: /^looked\s*$/,
  },
  {
    name: 'write to settings of the kernel',
    script: python(
      `found = []
for top in ["/proc/sys", "/sys"]:
  for folder, folders, files in os.walk(top):
    if folder.count("/") > 4: folders.clear()
    found += [folder + "/" + f for f in files if os.access(folder + "/" + f, os.W_OK)]
for name in os.listdir("/proc"):
  path = "/proc/" + name
  if not name.isdigit() and os.path.isfile(path) and os.access(path, os.W_OK): found.append(path)
if found: reached()
print("found", len(found), found[:3])`,
    ),
    held: /^found 0 /m,
    ...withPython,
  },
]);
