/** What programs print when the system refused a write or the network was not there. */
const refusals = [
  /read-only file system/i,
  /operation not permitted/i,
  /permission denied/i,
  /\b(EROFS|EPERM|EACCES|ENETUNREACH|ENOTFOUND|EAI_AGAIN)\b/,
  /could not resolve (host|proxy)/i,
  /temporary failure in name resolution/i,
  /name or service not known/i,
  /network is unreachable/i,
  /getaddrinfo/i,
];

/** Whether a failed command's output smells of the sandbox rather than of the command. */
export function looksLikeSandboxRefusal(output: string): boolean {
  return refusals.some((refusal) => refusal.test(output));
}

/** For the model, after such a failure. */
export const sandboxAdvice =
  'The command ran in a sandbox, and this failure may come from it: commands write only below the working folder and temp, and the network is off unless the person switched it on for this session. If you need more, tell the person what for and wait; do not try to get around it.';
