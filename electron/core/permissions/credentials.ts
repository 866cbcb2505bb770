// Recognises what looks like a credential, so that no rule keeps one.

const shapes: readonly RegExp[] = [
  /\bsk-[A-Za-z0-9_-]{8,}/,
  /\b(gh[pousr]_|github_pat_|glpat-|npm_|pypi-|hf_|xox[abprs]-|AIza|ya29\.)[A-Za-z0-9_-]{8,}/,
  /\b(AKIA|ASIA)[A-Z0-9]{12,}/,
  /\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}/,
  /-----BEGIN [A-Z ]*PRIVATE KEY/,
  /:\/\/[^\s/:@]+:[^\s/@]+@/,
  /(pass(word|wd|phrase)?|secret|token|api[_-]?key|access[_-]?key|credential|authorization|bearer)["']?\s*[=: ]\s*["']?[^\s"']{4,}/i,
  /\b(curl|wget|https?)\s[^\n]{0,300}?(-u|--user)[= ]?["']?[^\s:"']{1,100}:[^\s]/,
  /\b(mysql\w*|mariadb|sshpass)\s([^\n]{0,300}?\s)?-p\s?[^\s-]/,
  /\b[0-9a-f]{32,}\b/i,
  /(?<![\w/.-])[A-Za-z0-9+/_-]{40,}={0,2}(?![\w/.-])/,
];

/** Whether a text seems to hold a key, token or password. Errs towards yes. */
export function holdsCredential(text: string): boolean {
  return shapes.some((shape) => shape.test(text));
}
