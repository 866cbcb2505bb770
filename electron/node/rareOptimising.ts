// How eagerly the engine optimises WebAssembly.
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
