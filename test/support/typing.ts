/** How people type: the terminal takes characters that follow each other faster for a code from a scanner. */
export const byHand = { delay: 60 } as const;
