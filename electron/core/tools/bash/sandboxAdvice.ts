// What the model is told when a command seems to have failed because of the sandbox, and what there is to do.

/** What programs print when there was no network, or a host was not to be reached. */
const noNetwork = [
  /\b(ENETUNREACH|ENOTFOUND|EAI_AGAIN)\b/,
  /could not resolve (host|proxy)/i,
  /temporary failure in name resolution/i,
  /name or service not known/i,
  /network is unreachable/i,
  /getaddrinfo/i,
];

/** What programs print when the system refused a write, or a key or device. */
const notAllowed = [
  /read-only file system/i,
  /operation not permitted/i,
  /permission denied/i,
  /host key verification failed/i,
  /\b(EROFS|EPERM|EACCES)\b/,
];

const fits = (signs: readonly RegExp[], output: string): boolean => signs.some((sign) => sign.test(output));

/** Whether a failed command's output smells of the sandbox rather than of the command. */
export function looksLikeSandboxRefusal(output: string): boolean {
  return fits(noNetwork, output) || fits(notAllowed, output);
}

/** For the model, after such a failure. */
export function sandboxAdvice(output: string): string {
  const causes = [
    ...(fits(notAllowed, output)
      ? [
          'Commands write only below the working folders and in /tmp; there, too, .git/hooks, .git/config, .claude, editor settings and start-up files of shells stay as they are. Keys and sign-ins of the person are not seen.',
        ]
      : []),
    ...(fits(noNetwork, output)
      ? ['Commands reach only hosts that a setting or the person lets them to, or none at all.']
      : []),
  ];
  return [
    'The command ran in a sandbox, and this failure may come from it.',
    ...causes,
    'If you can, do it within these bounds. If this one command needs more, call it again with dangerouslyDisableSandbox: true and say in the description what for: the person is then asked, unless that is switched off. Do not try to get around the sandbox.',
  ].join(' ');
}
