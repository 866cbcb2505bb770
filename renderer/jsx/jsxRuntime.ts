// What the compiler calls for each element: React's own functions, after the texts have been made showable.
import type { ElementType, Key, ReactElement } from 'react';
import * as react from 'react/jsx-runtime';
import { showProps } from './showProps';

export type { JSX } from 'react/jsx-runtime';
export { Fragment } from 'react/jsx-runtime';

/** An element with one child or none. */
export function jsx(type: ElementType, props: unknown, key?: Key): ReactElement {
  return react.jsx(type, showProps(type, props), key);
}

/** An element with several children. */
export function jsxs(type: ElementType, props: unknown, key?: Key): ReactElement {
  return react.jsxs(type, showProps(type, props), key);
}
