// How eagerly the engine optimises WebAssembly and JavaScript.
import { setFlagsFromString } from 'node:v8';

/**
 * About twenty times the usual amount of work before a function is optimised. The second shell parser would reach the
 * usual amount with its first few lines, and half a second of processor time would go into making it quicker while
 * commands wait for the processor. Who parses very much gets there all the same.
 */
const budget = 40_000_000;

/** Lets WebAssembly be optimised only when it runs a lot. Counts for modules that are loaded afterwards. */
export function optimiseRarely(): void {
  setFlagsFromString(`--wasm-tiering-budget=${budget}`);
}

/**
 * About four and a half times the usual amount of work before a function of JavaScript is optimised. A run of some dozen
 * calls would spend a sixth of its time on making quicker what it hardly uses again.
 */
const scriptBudget = 600_000;

/** Lets JavaScript be optimised later, for programs that end soon. */
export function optimiseLate(): void {
  setFlagsFromString(`--interrupt-budget=${scriptBudget}`);
}
