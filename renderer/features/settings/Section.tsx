import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { type SettingsSection, useUi } from '../../stores/ui';

export interface SectionProps {
  readonly title: string;
  /** One or two sentences on what it is for. */
  readonly text?: ReactNode;
  /** Other places of the page lead here by this name. */
  readonly name?: SettingsSection;
  readonly children: ReactNode;
}

/** One group of settings. */
export function Section({ title, text, name, children }: SectionProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const wanted = useUi((ui) => name !== undefined && ui.settingsSection === name);
  useLayoutEffect(() => {
    if (!wanted) return;
    heading.current?.focus({ preventScroll: true });
    heading.current?.scrollIntoView({ block: 'start' });
    useUi.getState().openSettings(null);
  }, [wanted]);
  return (
    <section aria-label={title} className="border-t border-line py-6 first-of-type:border-0">
      <h2 ref={heading} tabIndex={name === undefined ? undefined : -1} className="scroll-mt-6 text-title font-semibold">
        {title}
      </h2>
      {text === undefined ? null : <p className="mt-0.5 text-muted">{text}</p>}
      <div className="mt-4 flex flex-col gap-5">{children}</div>
    </section>
  );
}
