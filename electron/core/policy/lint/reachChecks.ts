// Remarks on how far a rule reaches: further than it seems, or less far.
import type { LintFinding } from '#shared/api/rules';
import { parseRule } from '#shared/permissions/rule';
import { isBroad } from '../../permissions/broadRules';
import type { CompiledRule } from '../../permissions/compiledRule';
import { onRule, removal, rewriting } from './finding';
import { beginningOf } from './patternKey';
import { isOpen } from './world';

/** Asks where it allowed. Stricter, but a person's decision: it brings the prompts back. */
function asking(rule: CompiledRule['ref']): LintFinding['fix'] {
  if (!isOpen(rule.source)) return null;
  return {
    label: 'Ask instead of allowing',
    edits: [{ type: 'change', rule, behavior: 'ask', text: rule.text }],
    safe: false,
  };
}

/** Programs that a rule with a star never reaches through, and which therefore allow nothing. */
const closed = /^(watch|setsid|ionice|flock|env|exec)( |$)/;
/** Harmless wrappers with nothing but options behind them: a rule that ends there says nothing of what they run. */
const lookedThrough = /^(nohup|noglob|builtin|time|command|nice|stdbuf|timeout)( [-\d]\S*)*$/;
/** The star stands where the program goes. */
const openRunner =
  /^((docker|podman|nerdctl|lxc|kubectl|docker compose|docker-compose) exec( -\S+)*( [\w./:@-]+)?( --)?|(direnv|mise|asdf|rbenv|pyenv|nix|devbox|conda|flatpak|toolbox|distrobox) (exec|run|shell|develop|enter)( [\w./@:-]+)?( --)?|(chroot|gosu|su-exec|runuser|su|unshare|nsenter|strace|ltrace|script|parallel|entr|hyperfine|systemd-run)( -\S+)*)$/;
/** Options that make git run what they say. */
const gitOptions = /^git (-c|--config-env|--exec-path)(=| |$)/;

function broadWords(rule: CompiledRule): string | null {
  switch (rule.kind) {
    case 'tool':
      if (isBroad(rule)) return `Every call of ${rule.tool} is allowed, whatever it runs.`;
      if (rule.tool === 'Edit' || rule.tool === 'Write' || rule.tool === 'MultiEdit' || rule.tool === 'NotebookEdit')
        return `${rule.tool} may change every file, also outside the working folders.`;
      if (rule.tool === 'Read') return 'Read may look at every file, also at keys and passwords in the home folder.';
      if (rule.tool === 'WebFetch')
        return 'Every public host may be fetched, and what is asked for can carry data out.';
      return null;
    case 'command':
      if (gitOptions.test(rule.pattern.head) && !rule.pattern.exact)
        return 'What stands behind this option of git decides which programs git runs.';
      return isBroad(rule)
        ? 'The program in front of the star runs whatever text it is given, or fetches and runs it.'
        : null;
    case 'path': {
      const { anchor, text } = rule.pattern;
      const everything = /^\/?(\*\*\/?)*\*{0,2}$/.test(text);
      if (!everything || (anchor !== 'root' && anchor !== 'home')) return null;
      const where = anchor === 'root' ? 'the whole disk' : 'the whole home folder';
      return rule.tool === 'Edit' ? `Every file on ${where} may be changed.` : `Every file on ${where} may be read.`;
    }
    case 'host':
      return rule.host === '*' ? 'Every public host may be fetched, and what is asked for can carry data out.' : null;
    default:
      return null;
  }
}

function broad(rule: CompiledRule): LintFinding | null {
  const { ref } = rule;
  if (rule.kind === 'command' && !rule.pattern.exact) {
    const { head } = rule.pattern;
    const words = head.trim();
    const never = closed.exec(words)?.[1];
    if (never !== undefined && never !== 'env' && never !== 'exec')
      return onRule({
        kind: 'wrapperNotStripped',
        severity: 'warning',
        rule: ref,
        message: `${never} runs another program, so no rule with a star covers it; only the whole command without a star does. This allows nothing.`,
        fix: removal(ref),
      });
    if (lookedThrough.test(words))
      return onRule({
        kind: 'wrapperNotStripped',
        severity: 'warning',
        rule: ref,
        message: `${words.split(' ', 1)[0]} is looked through: a rule has to name the program behind it. This one ends before that, so it does not allow what it seems to.`,
        fix: removal(ref),
      });
    if (!isBroad(rule) && openRunner.test(words))
      return onRule({
        kind: 'wrapperNotStripped',
        severity: 'warning',
        rule: ref,
        message: `${words.split(' ', 2).join(' ')} runs the program that stands at the star, and rules for that program are not looked at: this allows any program there. Name the program.`,
        fix: asking(ref),
      });
  }
  const words = broadWords(rule);
  if (words === null) return null;
  const reading = rule.kind === 'path' && rule.tool === 'Read';
  return onRule({
    kind: 'overBroad',
    severity: reading || rule.kind === 'host' ? 'hint' : 'warning',
    rule: ref,
    message: `${words} Write narrower rules for what is really needed.`,
    fix: asking(ref),
  });
}

function wordBoundary({ ref, ...rule }: CompiledRule): LintFinding | null {
  if (rule.kind !== 'command') return null;
  const beginning = beginningOf(rule.pattern);
  if (beginning === null || !/[A-Za-z0-9]$/.test(beginning)) return null;
  const parsed = parseRule(ref.text);
  const tool = parsed.ok ? parsed.value.tool : 'Bash';
  const oneWord = !beginning.includes(' ');
  if (ref.behavior !== 'allow')
    return onRule({
      kind: 'wordBoundary',
      severity: 'hint',
      rule: ref,
      message: `Without a blank before the star, this also ${ref.behavior === 'deny' ? 'stops' : 'asks about'} every longer word that begins with “${beginning}”.`,
      fix: rewriting(ref, `${tool}(${beginning} *)`, false),
    });
  return onRule({
    kind: 'wordBoundary',
    severity: oneWord ? 'warning' : 'hint',
    rule: ref,
    message: `Without a blank before the star, this also allows every longer word that begins with “${beginning}”${oneWord ? ', so other programs as well' : ''}.`,
    // What the narrower one matches, the wider one did.
    fix: isOpen(ref.source) ? rewriting(ref, `${tool}(${beginning} *)`, true) : null,
  });
}

/** `echo * > out.txt` → the command and the file; null where there is no plain redirect. */
function redirectOf(head: string): { readonly operator: string; readonly target: string } | null {
  const plain = head.replace(/'[^']*'|"[^"]*"/g, (quoted) => 'x'.repeat(quoted.length));
  const found = /(?:^|[\s\d&])(>>?|<)\s*([^\s<>&|;()]*)/.exec(plain);
  if (found === null || /<</.test(plain)) return null;
  return { operator: found[1] ?? '>', target: found[2] ?? '' };
}

function redirect({ ref, ...rule }: CompiledRule): LintFinding | null {
  if (rule.kind !== 'command') return null;
  const parsed = parseRule(ref.text);
  const content = parsed.ok ? (parsed.value.content ?? '') : '';
  const found = redirectOf(content);
  if (found === null) return null;
  const { operator, target } = found;
  const tool = operator === '<' ? 'Read' : 'Edit';
  const literal = target !== '' && target !== '/dev/null' && !/[*?[$~`'"]/.test(target);
  const path = target.startsWith('/') ? `/${target}` : target;
  const message =
    ref.behavior === 'allow'
      ? `The target of ${operator} is not part of the command: it is judged by ${tool} rules, and this rule does not cover it.`
      : `The target of ${operator} is not part of the command, so this hardly ever matches. What is ${tool === 'Edit' ? 'written' : 'read'} by way of the shell is stopped by ${tool} rules.`;
  if (!literal || target === '/dev/null') return onRule({ kind: 'redirect', severity: 'warning', rule: ref, message });
  const text = `${tool}(${path})`;
  const source = isOpen(ref.source) ? ref.source : 'userSettings';
  return onRule({
    kind: 'redirect',
    severity: 'warning',
    rule: ref,
    message,
    fix: {
      label: `Add ${text}`,
      edits: [{ type: 'add', source, behavior: ref.behavior, text }],
      safe: ref.behavior !== 'allow',
    },
  });
}

function walkedRound({ ref, ...rule }: CompiledRule, world: ReachWorld): LintFinding | null {
  if (rule.kind !== 'path' || ref.behavior !== 'deny' || rule.pattern.negated || world.noShell) return null;
  const doing = rule.tool === 'Read' ? 'open' : 'change';
  return onRule({
    kind: 'denyWalkedRound',
    severity: 'hint',
    rule: ref,
    message: `This stops the file tools and the shell commands whose files are known. A program that a command starts, such as a script or a test, can ${doing} the file all the same. Only what keeps commands from running, or the rights of the file itself, stops that.`,
  });
}

/** What remarks on reach depend on beside the rule. */
export interface ReachWorld {
  /** A rule denies every shell command. */
  readonly noShell: boolean;
}

/** Remarks on a rule that is in force. */
export function reachFindings(rule: CompiledRule, world: ReachWorld): readonly LintFinding[] {
  const found: (LintFinding | null)[] = [wordBoundary(rule), redirect(rule), walkedRound(rule, world)];
  if (rule.ref.behavior === 'allow') found.push(broad(rule));
  return found.filter((one) => one !== null);
}
