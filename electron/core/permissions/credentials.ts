// Recognises what looks like a credential, so that no rule keeps one. The forms are also what exports take out.

/** How keys of well-known services begin. */
export const keyPrefix = String.raw`(?:sk-|[rs]k_(?:live|test)_|whsec_|gh[pousr]_|github_pat_|glpat-|npm_|pypi-|hf_|xox[abeprs]-|AIza|ya29\.|SG\.|hvs\.|dop_v1_|dckr_pat_|lin_api_|shp(?:at|ca|pa|ss)_)`;
/** Key ids of one cloud. */
export const cloudKey = '(?:AKIA|ASIA)[A-Z0-9]{12,}';
/** Head of a signed token: base64 of `{"`. */
export const signedTokenHead = 'eyJ[A-Za-z0-9_-]{8,}';
/** First line of a private key, up to the dashes that end it. */
export const privateKeyHead = '-----BEGIN [A-Z ]{0,40}PRIVATE KEY';
/** Words in the name of a variable, field or option whose value nobody else may know. */
export const secretWords = 'pass(?:word|wd|phrase)?|secret|token|api[_-]?key|access[_-]?key|credential|authorization';
/** A user's name and password given to a program that asks for them in this way: the start, up to the password. */
export const loginOption = String.raw`\b(?:curl|wget|https?)\s[^\n]{0,300}?(?:-u|--user)[= ]?["']?[^\s:"']{1,100}:`;

const shapes: readonly RegExp[] = [
  new RegExp(String.raw`\b${keyPrefix}[A-Za-z0-9_-]{8,}`),
  new RegExp(String.raw`\b${cloudKey}`),
  new RegExp(String.raw`\b${signedTokenHead}\.[A-Za-z0-9_-]{8,}`),
  new RegExp(privateKeyHead),
  /:\/\/[^\s/:@]+:[^\s/@]+@/,
  new RegExp(String.raw`(?:${secretWords}|bearer)["']?\s*[=: ]\s*["']?[^\s"']{4,}`, 'i'),
  new RegExp(String.raw`${loginOption}[^\s]`, 'i'),
  /\b(mysql\w*|mariadb|sshpass)\s([^\n]{0,300}?\s)?-p\s?[^\s-]/,
  /\b[0-9a-f]{32,}\b/i,
  /(?<![\w/.-])[A-Za-z0-9+/_-]{40,}={0,2}(?![\w/.-])/,
];

/** Whether a text seems to hold a key, token or password. Errs towards yes. */
export function holdsCredential(text: string): boolean {
  return shapes.some((shape) => shape.test(text));
}
