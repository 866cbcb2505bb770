/** @jsxImportSource #page */
// @vitest-environment jsdom
import { cleanup, render } from '@testing-library/react';
import { Dialog as Radix } from 'radix-ui';
import { afterEach, describe, expect, it } from 'vitest';
import { Dialog } from '../ui/Dialog';
import { MiddleEllipsis } from '../ui/MiddleEllipsis';
import { TooltipProvider } from '../ui/Tooltip';
import { VisibleText } from '../ui/VisibleText';
import { showProps } from './showProps';

afterEach(cleanup);

const hostile = 'a\u202egnp\u2066\u200b\u001b[31m\u0000\u009b\u00ad\u{e0041}\ufeff<img src=x onerror=alert(1)>';
const shown =
  'a[U+202E]gnp[U+2066][U+200B][U+001B][31m[U+0000][U+009B][U+00AD][U+E0041][U+FEFF]<img src=x onerror=alert(1)>';

describe('text of any element', () => {
  it.each([
    ['a child', () => <p>{hostile}</p>, shown],
    ['one of several', () => <p>in {hostile}, twice</p>, `in ${shown}, twice`],
    ['a list of texts', () => <p>{[hostile, hostile].map((text) => text)}</p>, shown + shown],
    ['a child of a component', () => <Child>{hostile}</Child>, shown],
    [
      'a path that is cut',
      () => (
        <TooltipProvider>
          <MiddleEllipsis text={hostile} keepEnd={4} />
        </TooltipProvider>
      ),
      shown,
    ],
  ])('%s', (_name, draw, text) => {
    const { container } = render(draw());
    expect(container.textContent).toBe(text);
    expect(container.querySelector('img')).toBeNull();
  });

  it('is named where it is said or read aloud', () => {
    const { container } = render(
      <>
        <section title={hostile} aria-label={hostile} />
        <input placeholder={hostile} defaultValue={hostile} />
      </>,
    );
    const [section, input] = [container.querySelector('section'), container.querySelector('input')];
    expect([section?.title, section?.getAttribute('aria-label'), input?.placeholder]).toEqual([shown, shown, shown]);
    // What a person edits stays as it is.
    expect(input?.value).toContain('\u202e');
  });

  it('also in parts that come from elsewhere', () => {
    const { baseElement } = render(
      <>
        <Dialog open onOpenChange={() => undefined} title={hostile} description={hostile}>
          {hostile}
        </Dialog>
        <Radix.Root open>
          <Radix.Portal>
            <Radix.Content aria-label={hostile}>
              <Radix.Title>{hostile}</Radix.Title>
              <Radix.Description>{hostile}</Radix.Description>
            </Radix.Content>
          </Radix.Portal>
        </Radix.Root>
      </>,
    );
    expect(baseElement.textContent).not.toContain('\u202e');
    expect(baseElement.innerHTML).not.toContain('\u202e');
    expect(baseElement.textContent?.split(shown)).toHaveLength(6);
  });

  it('leaves letters of all alphabets, emoji and line breaks as they are', () => {
    const text = 'אבג می‌خواهم 👩‍💻 ❤️ é\u0301 a\u00a0b\n\tc';
    expect(render(<pre>{text}</pre>).container.textContent).toBe(text);
  });

  it('says more where each character counts', () => {
    expect(render(<VisibleText text={'a\u202eb'} />).container.textContent).toBe('aU+202E right-to-left overrideb');
  });
});

it('makes no new objects where there is nothing to change', () => {
  const props = { children: ['a', <b key="b">c</b>, 1, null], title: 'd', 'aria-label': 'e' };
  expect(showProps('p', props)).toBe(props);
  expect(showProps('p', null)).toBeNull();
});

function Child({ children }: { readonly children: string }) {
  return <em>{children}</em>;
}
