// The same while developing and in tests, where React also wants to know where an element was written.
import type { ElementType, Key, ReactElement } from 'react';
import * as react from 'react/jsx-dev-runtime';
import { showProps } from './showProps';

export type { JSX } from 'react/jsx-dev-runtime';
export { Fragment } from 'react/jsx-dev-runtime';

type Source = Parameters<typeof react.jsxDEV>[4];

/** An element. */
export function jsxDEV(
  ...[type, props, key, isStatic, source, self]: [ElementType, unknown, Key | undefined, boolean, Source?, unknown?]
): ReactElement {
  return react.jsxDEV(type, showProps(type, props), key, isStatic, source, self);
}
