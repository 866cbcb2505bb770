/** The gate: an arch with its door. */
export function Logo({ size = 24 }: { readonly size?: number }) {
  return (
    <svg
      aria-hidden
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      strokeWidth={1.75}
      strokeLinecap="round"
    >
      <path d="M5 20V10a7 7 0 0 1 14 0v10" stroke="currentColor" />
      <path d="M9 20v-8.5a3 3 0 0 1 6 0V20" className="stroke-accent" />
      <path d="M2.75 20h18.5" stroke="currentColor" />
    </svg>
  );
}
