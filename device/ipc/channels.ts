/** The names of Electron's channels. What goes over them is View and UserAction, as over the browser host's socket. */
export const channels = {
  /** Renderer to main, answered: an UserAction, for an ActionResult. */
  action: 'florin:action',
  /** Renderer to main: send me the current View now and every one from here on. */
  watch: 'florin:watch',
  /** Main to renderer: a View. */
  view: 'florin:view',
} as const;
