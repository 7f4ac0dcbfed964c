/** Keeps the page true while it is open: another payment of the link, or its expiry, may change it. */
const everyMs = 5_000;
const shown = document.querySelector<HTMLElement>('[data-status]')?.dataset.status;
console.debug(everyMs, shown);
