declare module '*.css';
declare module '*.css?raw' {
  const text: string;
  export default text;
}

/** What the desktop preload script puts on the window; absent in a browser. */
interface GatehouseBridge {
  send(message: string): void;
  onMessage(listener: (message: string) => void): () => void;
}

interface Window {
  readonly gatehouse?: GatehouseBridge;
}
