/** The names of Electron's channels. They carry View and UserAction, as the browser host's socket does. */
export const channels = {
  /** Renderer to main, with a response: a UserAction, answered by an ActionResult. */
  action: 'florin:action',
  /** Renderer to main: requests the current View and every later one. */
  watch: 'florin:watch',
  /** Main to renderer: a View. */
  view: 'florin:view',
} as const;
