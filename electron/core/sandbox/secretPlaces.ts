// Where people and programs keep secrets. Commands do not see these places; a setting can show single ones again.
import { isAbsolute, join } from 'node:path';

/** Below the home folder. */
const inHome: readonly string[] = [
  // keys
  ...['.ssh', '.gnupg', '.password-store', '.age', '.config/sops', '.config/age', '.local/share/keyrings'],
  ...['.local/share/kwalletd', '.pki', '.vault-token', '.config/op', '.config/1Password', '.config/Bitwarden'],
  ...['.config/Bitwarden CLI', '.config/keepassxc', '.lastpass', '.config/lpass', 'Library/Keychains'],
  // clouds
  ...['.aws', '.azure', '.config/gcloud', '.gsutil', '.boto', '.oci', '.aliyun', '.bluemix', '.config/doctl'],
  ...['.kube', '.config/helm/registry', '.docker/config.json', '.config/containers/auth.json', '.config/rclone'],
  ...['.s3cfg', '.terraform.d/credentials.tfrc.json', '.terraformrc', '.pulumi/credentials.json', '.databrickscfg'],
  ...['.snowflake', '.fly/config.yml', '.config/netlify', '.local/share/com.vercel.cli', '.config/stripe'],
  ...['.supabase', '.railway', '.config/.wrangler', '.wrangler/config', '.config/scaleway', '.config/hcloud'],
  // code hosts and package registries
  ...['.netrc', '_netrc', '.authinfo', '.authinfo.gpg', '.git-credentials', '.config/git/credentials', '.config/gh'],
  ...['.config/hub', '.config/glab-cli', '.config/github-copilot', '.pypirc', '.gem/credentials', '.bundle/config'],
  ...['.cargo/credentials', '.cargo/credentials.toml', '.composer/auth.json', '.config/composer/auth.json'],
  ...['.m2/settings-security.xml', '.nuget/NuGet/NuGet.Config', '.config/NuGet/NuGet.Config', '.hex/hex.config'],
  // models and data
  ...['.claude/.credentials.json', '.claude.json', '.codex/auth.json', '.gemini', '.kaggle', '.huggingface/token'],
  ...['.cache/huggingface/token', '.cache/huggingface/stored_tokens', '.config/openai', '.config/anthropic'],
  ...['.pgpass', '.my.cnf', '.mylogin.cnf', '.config/rsync.secrets', '.redisclirc'],
  // browsers and mail
  ...['.mozilla', '.config/google-chrome', '.config/chromium', '.config/BraveSoftware', '.config/microsoft-edge'],
  ...['.config/vivaldi', '.config/opera', '.thunderbird', 'snap/firefox', 'snap/chromium'],
  ...['.var/app/org.mozilla.firefox', '.var/app/com.google.Chrome', '.var/app/org.chromium.Chromium'],
  ...['Library/Cookies', 'Library/Safari', 'Library/Mail', 'Library/Application Support/Google/Chrome'],
  ...['Library/Application Support/Firefox', 'Library/Application Support/BraveSoftware'],
  ...['Library/Application Support/Microsoft Edge', 'Library/Application Support/Chromium'],
  // what was typed
  ...['.bash_history', '.zsh_history', '.local/share/fish/fish_history', '.python_history', '.node_repl_history'],
  ...['.psql_history', '.mysql_history', '.rediscli_history'],
];

/** Files that mostly hold no secret and that programs need; hidden when they hold one. */
const perhaps: readonly { readonly path: string; readonly secret: RegExp }[] = [
  { path: '.npmrc', secret: /^[^#;\n]*(?:_authToken|_password|_auth|certfile|keyfile)\s*=/im },
  { path: '.yarnrc.yml', secret: /^\s*npmAuth(?:Token|Ident)\s*:/im },
  { path: '.m2/settings.xml', secret: /<(?:password|passphrase|privateKey)>/i },
  { path: '.gradle/gradle.properties', secret: /^[^#!\n]*(?:password|token|secret|apikey)[^=:\n]*[=:]/im },
  { path: '.config/pip/pip.conf', secret: /:\/\/[^/\s@]+:[^/\s@]+@/ },
  { path: '.pip/pip.conf', secret: /:\/\/[^/\s@]+:[^/\s@]+@/ },
];

/** Of the whole machine; mostly readable by root alone, who Gatehouse may run as. */
const ofMachine: readonly string[] = [
  ...['/etc/shadow', '/etc/shadow-', '/etc/gshadow', '/etc/gshadow-', '/etc/krb5.keytab', '/etc/ssl/private'],
  ...['rsa', 'ecdsa', 'ed25519', 'dsa'].map((kind) => `/etc/ssh/ssh_host_${kind}_key`),
  ...['/etc/sudoers', '/etc/sudoers.d', '/root/.ssh', '/root/.aws', '/root/.gnupg', '/var/lib/docker'],
  ...['/etc/kubernetes', '/var/run/secrets', '/run/secrets', '/etc/NetworkManager/system-connections'],
];

/** Variables that say where a program keeps its secrets. */
const named: readonly string[] = [
  ...['AWS_SHARED_CREDENTIALS_FILE', 'AWS_CONFIG_FILE', 'AWS_WEB_IDENTITY_TOKEN_FILE', 'AZURE_CONFIG_DIR'],
  ...['CLOUDSDK_CONFIG', 'GOOGLE_APPLICATION_CREDENTIALS', 'DOCKER_CONFIG', 'GNUPGHOME', 'GH_CONFIG_DIR'],
  ...['NETRC', 'PGPASSFILE', 'PASSWORD_STORE_DIR', 'KAGGLE_CONFIG_DIR', 'SOPS_AGE_KEY_FILE', 'BOTO_CONFIG'],
];

/** What the machine says of a place. */
export interface SecretsView {
  exists(path: string): boolean;
  /** The beginning of a file; null when it cannot be read. */
  text(path: string): string | null;
}

/** The secret places that are there now, absolute, each once. */
export function secretPlaces(options: {
  readonly home: string;
  readonly variables: Readonly<Record<string, string>>;
  readonly view: SecretsView;
}): readonly string[] {
  const { home, variables, view } = options;
  const config = variables.XDG_CONFIG_HOME;
  const elsewhere = (path: string): readonly string[] =>
    config !== undefined && isAbsolute(config) && path.startsWith('.config/')
      ? [join(config, path.slice('.config/'.length))]
      : [];
  const told = [...named.map((name) => variables[name]), ...(variables.KUBECONFIG ?? '').split(':')];
  const cargo = variables.CARGO_HOME;
  const all = [
    ...inHome.flatMap((path) => [join(home, path), ...elsewhere(path)]),
    ...perhaps.flatMap(({ path, secret }) =>
      [join(home, path), ...elsewhere(path)].filter((one) => secret.test(view.text(one) ?? '')),
    ),
    ...ofMachine,
    ...(cargo === undefined ? [] : ['credentials', 'credentials.toml'].map((name) => join(cargo, name))),
    ...told.filter((path) => path !== undefined && isAbsolute(path) && path !== '/').map(String),
  ];
  return [...new Set(all)].filter((path) => path !== home && view.exists(path));
}
