import { render } from '@testing-library/react';
import type { ReactElement } from 'react';
import { TooltipProvider } from '../ui/Tooltip';

/** Renders a part of the page with what all parts expect around them. */
export function mountPage(part: ReactElement) {
  return render(<TooltipProvider>{part}</TooltipProvider>);
}

/** What jsdom lacks and the page's pieces use. `wide`: whether all width queries match. */
export function fillBrowserGaps({ wide }: { readonly wide: boolean }): void {
  Element.prototype.scrollIntoView = () => undefined;
  Element.prototype.hasPointerCapture = () => false;
  Element.prototype.setPointerCapture = () => undefined;
  Element.prototype.releasePointerCapture = () => undefined;
  window.ResizeObserver = class {
    observe() {}
    unobserve() {}
    disconnect() {}
  };
  window.matchMedia = (query) => ({
    media: query,
    matches: wide && query.includes('min-width'),
    onchange: null,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
    addListener: () => undefined,
    removeListener: () => undefined,
    dispatchEvent: () => false,
  });
}
