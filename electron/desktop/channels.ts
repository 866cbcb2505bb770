/** Names of the only two messages between page and main process. */
export const channels = { open: 'gatehouse:open', message: 'gatehouse:message' } as const;
