// The environment of a hook's process: the person's own, without anything that opens accounts.
/** Names that hold keys, tokens and passwords. */
const secretNames =
  /(^|_)(API_?KEYS?|ACCESS_?KEYS?|SECRET_?KEYS?|PRIVATE_?KEYS?|KEY|TOKENS?|SECRETS?|PASS|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS?|AUTH|COOKIE|DSN)(_|$)/i;

/** What the model's own settings are called: none of it is a hook's business. */
const ofTheModel = /^(ANTHROPIC|CLAUDE|GATEHOUSE|ELECTRON)_/i;

/** Variables that point at a secret instead of holding it, without which git and ssh do not work. */
const harmless: ReadonlySet<string> = new Set(['SSH_AUTH_SOCK', 'XAUTHORITY', 'GIT_ASKPASS', 'SSH_ASKPASS']);

/** Variables that a hook's process may see, of all that the host has. */
export function scrubbed(variables: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(variables).filter(
      ([name]) => harmless.has(name) || !(secretNames.test(name) || ofTheModel.test(name)),
    ),
  );
}

/** A text with `$NAME` and `${NAME}` replaced; what is not allowed or not set becomes nothing. */
export function withVariables(
  text: string,
  variables: Readonly<Record<string, string>>,
  allowed: (name: string) => boolean,
): string {
  return text.replace(/\$(?:\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*))/g, (_whole, braced?: string, plain?: string) => {
    const name = braced ?? plain ?? '';
    return allowed(name) && Object.hasOwn(variables, name) ? (variables[name] ?? '') : '';
  });
}
