import { expect, it } from 'vitest';
import { whyNotStartedWith } from './launchSwitches';

const driven = 'With remote debugging other programs could answer for you. Start Gatehouse without it.';
const weakened = (word: string): string =>
  `${word} takes away what protects you from what Gatehouse shows. Start it without.`;

it.each([
  ['--remote-debugging-port=9222', driven],
  ['--remote-debugging-pipe', driven],
  ['--Remote-Debugging-Port=0', driven],
  ['--remote-allow-origins=*', driven],
  ['--inspect', driven],
  ['--inspect-brk=0.0.0.0:1', driven],
  ['--js-flags=--allow-natives-syntax', driven],
  ['--load-extension=/tmp/x', driven],
  ['--renderer-cmd-prefix=xterm -e', driven],
  ['--utility-cmd-prefix=sh', driven],
  ['--gpu-launcher=sh -c x', driven],
  ['--browser-subprocess-path=/tmp/x', driven],
  ['--no-sandbox', weakened('--no-sandbox')],
  ['--disable-setuid-sandbox', weakened('--disable-setuid-sandbox')],
  ['--disable-gpu-sandbox', weakened('--disable-gpu-sandbox')],
  ['--disable-web-security', weakened('--disable-web-security')],
  ['--disable-site-isolation-trials', weakened('--disable-site-isolation-trials')],
  ['--disable-features=IsolateOrigins', weakened('--disable-features')],
  ['--host-resolver-rules=MAP * 127.0.0.1', weakened('--host-resolver-rules')],
  ['--ignore-certificate-errors', weakened('--ignore-certificate-errors')],
  ['--unsafely-treat-insecure-origin-as-secure=http://x', weakened('--unsafely-treat-insecure-origin-as-secure')],
  ['--single-process', weakened('--single-process')],
  ['--ssl-key-log-file=/tmp/k', weakened('--ssl-key-log-file')],
])('%s', (word, why) => {
  expect(whyNotStartedWith(['/srv/app', word])).toBe(why);
});

it.each([
  ['--ozone-platform=x11'],
  ['--no-first-run'],
  ['--disable-gpu'],
  ['--force-device-scale-factor=2'],
  ['--lang=de'],
  ['--folder'],
  ['/srv/--no-sandbox'],
])('%s is let through', (word) => {
  expect(whyNotStartedWith([word])).toBeNull();
});
