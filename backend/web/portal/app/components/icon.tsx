/** The paths of each icon, drawn on a square of 24. */
const paths = {
  overview: 'M4 13h6V4H4zM14 20h6V4h-6zM4 20h6v-3H4z',
  problems: 'M12 4L2.5 20h19zM12 10v4.5M12 17v.1',
  payments: 'M3 6h18v12H3zM3 10h18M7 14.5h3',
  links: 'M10 14a4 4 0 0 0 6 .4l3-3a4 4 0 0 0-5.7-5.7L12 7M14 10a4 4 0 0 0-6-.4l-3 3a4 4 0 0 0 5.7 5.7L12 17',
  settlements: 'M4 20V10M10 20V4M16 20v-7M21 20H3',
  staff:
    'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM2.5 20c0-3.6 2.9-6 6.5-6s6.5 2.4 6.5 6M16 4.4a3.5 3.5 0 0 1 0 6.2M18 14.4c2.1.9 3.5 2.9 3.5 5.6',
  terminals: 'M7 3h10v18H7zM10 6h4M10 12v.1M14 12v.1M10 15v.1M14 15v.1M10 18v.1M14 18v.1',
  developers: 'M8.5 7L3.5 12l5 5M15.5 7l5 5-5 5',
  settings:
    'M4 7h9M17 7h3M4 17h3M11 17h9M15 9.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM9 19.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5z',
  search: 'M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM16 16l4.5 4.5',
  more: 'M6.5 12a1 1 0 1 1-2 0 1 1 0 0 1 2 0zM13 12a1 1 0 1 1-2 0 1 1 0 0 1 2 0zM19.5 12a1 1 0 1 1-2 0 1 1 0 0 1 2 0z',
  menu: 'M4 7h16M4 12h16M4 17h16',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  cross: 'M6.5 6.5l11 11m0-11l-11 11',
  clock: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 7.5V12l3 2',
  back: 'M15 5l-7 7 7 7',
  forward: 'M9 5l7 7-7 7',
  down: 'M6 9.5l6 6 6-6',
  up: 'M6 14.5l6-6 6 6',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  plus: 'M12 5v14M5 12h14',
  returned: 'M9 7L4 12l5 5M4.5 12H15a5 5 0 0 1 5 5v1',
  info: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 11v5.5M12 7.6v.1',
  lock: 'M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3',
  out: 'M14 4h5v16h-5M4 12h11M11 8l4 4-4 4',
  external: 'M14 4h6v6M20 4l-9 9M18 14v6H4V6h6',
  ended: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM8 12h8',
  bolt: 'M13 3L5 14h6l-1 7 8-11h-6z',
  eye: 'M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12zM12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6z',
  user: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4.5 20.5c0-4 3.4-6.5 7.5-6.5s7.5 2.5 7.5 6.5',
  shop: 'M4 9.5L5.5 4h13L20 9.5M4 9.5a2.7 2.7 0 0 0 5.3 0 2.7 2.7 0 0 0 5.4 0 2.7 2.7 0 0 0 5.3 0M5 13v7h14v-7',
  filter: 'M4 6h16M7 12h10M10 18h4',
  phone: 'M8 3h8v18H8zM11 18h2',
  key: 'M8 15.5a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM12 11.5h9v3.5M17 11.5v3',
  screen: 'M3.5 5h17v11h-17zM9 20h6M12 16v4',
  download: 'M12 4v11M7 10.5l5 5 5-5M5 20h14',
  print: 'M7 9V4h10v5M7 18H4v-8h16v8h-3M7 14.5h10V20H7z',
  trash: 'M4 7h16M9 7V4h6v3M6.5 7l1 13h9l1-13',
} as const;

export type IconName = keyof typeof paths;

/** An icon; what it says stands in words beside it. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  );
}

/** The coin of the product. */
export function Mark() {
  return (
    <svg className="mark" viewBox="0 0 44 44" aria-hidden="true">
      <circle className="mark-rim" cx="22" cy="22" r="19" />
      <path className="mark-letter" d="M17 32V13h12M17 22.5h9" />
    </svg>
  );
}
