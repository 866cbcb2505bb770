// Programs that npm does not bring: a compiler for the native modules, a browser for the tests, the sandbox.
import { existsSync, readdirSync } from 'node:fs';
import { findProgram, run } from './command.mjs';

const browserNames = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];
const browserFiles = [
  '/usr/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** Path of a Chromium: GATEHOUSE_CHROMIUM, else a browser that is installed, else undefined. */
export function findBrowser(env = process.env) {
  if (env.GATEHOUSE_CHROMIUM) return env.GATEHOUSE_CHROMIUM;
  for (const name of browserNames) {
    const found = findProgram({ name, path: env.PATH });
    if (found !== undefined) return found;
  }
  return browserFiles.find((path) => existsSync(path));
}

/** Debian packages by what they are for, and how to see that they are not needed. */
const needs = {
  compiler: [
    { package: 'g++', present: () => findProgram({ name: 'c++' }) !== undefined },
    { package: 'make', present: () => findProgram({ name: 'make' }) !== undefined },
    { package: 'python3', present: () => findProgram({ name: 'python3' }) !== undefined },
  ],
  browser: [{ package: 'chromium', present: () => findBrowser() !== undefined }],
  sandbox: [
    {
      package: 'bubblewrap',
      present: () => process.platform !== 'linux' || findProgram({ name: 'bwrap' }) !== undefined,
    },
  ],
};

/** Debian packages that are missing for the named purposes. */
export function missingPackages(purposes) {
  return purposes.flatMap((purpose) => needs[purpose].filter((need) => !need.present()).map((need) => need.package));
}

/** How missing packages get here: {install: true} when this process may, else what to tell the person. */
export function packageAdvice({ missing, isRoot, hasApt, platform }) {
  const list = missing.join(' ');
  if (missing.length === 0) return { install: false, message: '' };
  if (hasApt && isRoot) return { install: true, message: `Installing Debian packages: ${list}` };
  if (hasApt) return { install: false, message: `Missing: ${list}. Run: sudo apt-get install -y ${list}` };
  if (platform === 'darwin')
    return {
      install: false,
      message: `Missing: ${list}. Run: xcode-select --install (compiler), or install them with Homebrew.`,
    };
  return { install: false, message: `Missing: ${list}. Install them with the system's package manager.` };
}

/** Installs what is missing where that is possible. Resolves to what is still missing and the advice. */
export async function provide({ purposes, log }) {
  const missing = missingPackages(purposes);
  const isRoot = process.getuid?.() === 0;
  const advice = packageAdvice({
    missing,
    isRoot,
    hasApt: findProgram({ name: 'apt-get' }) !== undefined,
    platform: process.platform,
  });
  if (!advice.install) return { missing, message: advice.message };
  log(advice.message);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const lists = '/var/lib/apt/lists';
  const noLists =
    !existsSync(lists) ||
    !readdirSync(lists).some((name) => name.endsWith('_Packages') || name.endsWith('_Packages.lz4'));
  const install = () =>
    run({ command: 'apt-get', args: ['install', '-y', '--no-install-recommends', ...missing], env, capture: true });
  if (noLists) await run({ command: 'apt-get', args: ['update', '-q'], env, capture: true });
  let result = await install();
  // Old lists name files that the mirror no longer has.
  if (result.code !== 0 && !noLists) {
    await run({ command: 'apt-get', args: ['update', '-q'], env, capture: true });
    result = await install();
  }
  const still = missingPackages(purposes);
  if (still.length === 0) return { missing: still, message: '' };
  const cause = result.output.trim().split('\n').slice(-3).join('\n');
  return {
    missing: still,
    message: `apt-get could not install ${still.join(' ')}:\n${cause}\nInstall them by hand and try again.`,
  };
}
