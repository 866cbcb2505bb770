import { classes } from './classes';

/** The closed list of verdicts; always these words. */
export type VerdictName = 'allow' | 'ask' | 'deny' | 'undetermined' | 'hook';

const colours: Readonly<Record<VerdictName, string>> = {
  allow: 'text-allow',
  ask: 'text-ask',
  deny: 'text-deny',
  undetermined: 'text-undetermined',
  hook: 'text-hook',
};

/** Outline and sign on a 16-pixel grid; the shapes differ so that colour carries nothing alone. */
const shapes: Readonly<
  Record<VerdictName, { readonly outline: string; readonly sign: string; readonly dashed?: true }>
> = {
  allow: { outline: 'M8 1.75a6.25 6.25 0 1 1 0 12.5a6.25 6.25 0 0 1 0-12.5z', sign: 'M5.4 8.2l1.8 1.8l3.5-3.8' },
  ask: { outline: 'M8 1.2L14.8 8L8 14.8L1.2 8z', sign: 'M6.7 6.6a1.35 1.35 0 1 1 1.9 1.25c-.4.2-.6.5-.6.9M8 10.7v.05' },
  deny: { outline: 'M5.3 1.75h5.4l3.55 3.55v5.4l-3.55 3.55H5.3L1.75 10.7V5.3z', sign: 'M5 8h6' },
  undetermined: { outline: 'M2.5 2.5h11v11h-11z', sign: 'M6 8h.05M8 8h.05M10 8h.05', dashed: true },
  hook: { outline: 'M8 1.3l5.8 3.35v6.7L8 14.7l-5.8-3.35v-6.7z', sign: 'M8 6.2v3.6' },
};

export interface VerdictIconProps {
  readonly verdict: VerdictName;
  /** Pixels. */
  readonly size?: number;
}

/** The shape of a verdict in its colour. It has no name of its own: stand it beside the word, or use Verdict. */
export function VerdictIcon({ verdict, size = 15 }: VerdictIconProps) {
  const { outline, sign, dashed } = shapes[verdict];
  return (
    <svg
      aria-hidden
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.4}
      strokeLinecap="round"
      strokeLinejoin="round"
      className={classes('shrink-0', colours[verdict])}
    >
      <path d={outline} {...(dashed ? { strokeDasharray: '2.2 2' } : {})} />
      <path d={sign} />
    </svg>
  );
}

/** Shape and word of a verdict; `word` says it in another form ("allowed once"). */
export function Verdict({ verdict, word = verdict }: { readonly verdict: VerdictName; readonly word?: string }) {
  return (
    <span className={classes('inline-flex items-center gap-1.5 whitespace-nowrap font-semibold', colours[verdict])}>
      <VerdictIcon verdict={verdict} />
      {word}
    </span>
  );
}
