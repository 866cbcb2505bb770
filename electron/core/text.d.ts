/** A prompt file beside a tool, put into the bundle as text. */
declare module '*.md' {
  const text: string;
  export default text;
}
