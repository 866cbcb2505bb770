// Which keys of `sandbox` there are, and why some that other programs know have no effect here.

/** Keys that count, with their group. */
export const known: ReadonlySet<string> = new Set([
  ...['enabled', 'failIfUnavailable', 'autoAllowBashIfSandboxed', 'excludedCommands', 'allowUnsandboxedCommands'],
  ...['allowWrite', 'denyWrite', 'denyRead', 'allowRead', 'allowManagedReadPathsOnly'].map(
    (key) => `filesystem.${key}`,
  ),
  ...['allowedDomains', 'deniedDomains', 'allowManagedDomainsOnly', 'strictAllowlist', 'allowAllUnixSockets'].map(
    (key) => `network.${key}`,
  ),
  ...['httpProxyPort', 'socksProxyPort'].map((key) => `network.${key}`),
  ...['memoryMiB', 'processes', 'fileMiB'].map((key) => `limits.${key}`),
  ...['files', 'envVars'].map((key) => `credentials.${key}`),
]);

/** Keys that are known elsewhere, each with the reason why it does nothing here. */
export const elsewhere: ReadonlyMap<string, string> = new Map([
  [
    'network.allowUnixSockets',
    'Which socket a program opens cannot be told apart here. All are closed, or with allowAllUnixSockets all are open.',
  ],
  ['network.allowLocalBinding', 'Commands may listen anyway, in a network of their own that nobody else reaches.'],
  ['network.allowMachLookup', 'No services of the system are opened to commands.'],
  ['network.tlsTerminate', 'Encrypted traffic is not looked into.'],
  ['allowAppleEvents', 'No services of the system are opened to commands.'],
  ['allowNestedUserNamespaces', 'Commands never get namespaces of their own in the sandbox.'],
  ['enableWeakerNestedSandbox', 'There is no weaker sandbox here: it is there whole, or not at all.'],
  ['enableWeakerNetworkIsolation', 'There is no weaker sandbox here: it is there whole, or not at all.'],
  ['enabledPlatforms', 'The sandbox is on wherever there is one, unless enabled says otherwise.'],
  ['ignoreViolations', 'What the sandbox refuses is always told.'],
  ...['allowPlaintextInject', 'awsPairs', 'sigv4'].map(
    (key) => [`credentials.${key}`, 'Nothing is put in the place of what is hidden.'] as const,
  ),
  ['ripgrep', 'Gatehouse searches by itself.'],
  ['bwrapPath', 'The program is looked for in PATH.'],
  ['socatPath', 'The program is looked for in PATH.'],
]);
