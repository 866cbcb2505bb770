// Draws a part of the chat as the page does, and gives jsdom what it lacks.
import { cleanup, render } from '@testing-library/react';
import type { ReactElement } from 'react';
import { afterEach, beforeEach, vi } from 'vitest';
import { TooltipProvider } from '../../../ui/Tooltip';

/** Renders with what every page has around it. */
export function draw(element: ReactElement) {
  return render(element, { wrapper: ({ children }) => <TooltipProvider>{children}</TooltipProvider> });
}

/** Cleans up after each test; with `fakeTime` the clock moves only when the test says so. */
export function preparePage({ fakeTime }: { readonly fakeTime: boolean }): void {
  beforeEach(() => {
    vi.stubGlobal(
      'ResizeObserver',
      class {
        observe() {}
        unobserve() {}
        disconnect() {}
      },
    );
    if (fakeTime) vi.useFakeTimers();
  });
  afterEach(() => {
    cleanup();
    vi.useRealTimers();
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  });
}

/** Gives every element this layout: what overflows does so by these numbers (pixels). */
export function stubLayout(layout: { readonly scrollHeight: number; readonly clientHeight: number }): void {
  vi.spyOn(HTMLElement.prototype, 'scrollHeight', 'get').mockReturnValue(layout.scrollHeight);
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(layout.clientHeight);
}
