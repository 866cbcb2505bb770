// Plain warnings for commands that lose something. They inform; they decide nothing.
import type { CallFacts } from './callFacts';

const warnings: readonly (readonly [RegExp, string])[] = [
  [/^rm\s(.*\s)?-\w*[rR]\w*/, 'Deletes folders with everything in them.'],
  [/^(rm|unlink|rmdir)\s/, 'Deletes files.'],
  [/^(shred|wipefs|mkfs\S*|fdisk|parted)\s/, 'Destroys data beyond recovery.'],
  [/^dd\s.*\bof=/, 'Overwrites the target byte by byte.'],
  [/^truncate\s/, 'Cuts off what is in the file.'],
  [/^find\s.*-delete\b/, 'Deletes every file it finds.'],
  [/^git\s+reset\s+.*--hard/, 'Throws away uncommitted changes.'],
  [/^git\s+clean\s+.*-\w*f/, 'Deletes untracked files.'],
  [/^git\s+push\s+.*(--force\b|-f\b|--mirror|--delete|\s\+)/, 'Overwrites or deletes branches on the remote.'],
  [/^git\s+(checkout|restore)\s+(.*\s)?(--|\.)(\s|$)/, 'Throws away changes in the working folder.'],
  [
    /^git\s+(branch\s+.*-D|stash\s+(drop|clear)|reflog\s+expire|filter-branch)/,
    'Drops history that is hard to get back.',
  ],
  [/^(docker|podman)\s+(system|volume|image|container)\s+(prune|rm)/, 'Deletes containers, images or volumes.'],
  [/^kubectl\s+delete\b/, 'Deletes resources of a cluster.'],
  [/^terraform\s+destroy\b/, 'Destroys infrastructure.'],
  [/\b(drop\s+(table|database|schema)|truncate\s+table)\b/i, 'Deletes data of a database.'],
  [/^(shutdown|reboot|halt|poweroff)\b/, 'Stops the machine.'],
  [/^(kill|pkill|killall)\s/, 'Ends processes.'],
];

/** What the call destroys, in plain words; undefined when nothing that is recognised. */
export function destructiveWarning(facts: CallFacts): string | undefined {
  const critical = facts.commands.find((command) => command.critical !== null)?.critical;
  if (critical != null) return critical;
  for (const [shape, words] of warnings)
    for (const command of facts.commands) if (command.denyForms.some((form) => shape.test(form))) return words;
  return undefined;
}
