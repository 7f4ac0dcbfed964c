/** The sizes of a screen that the terminal supports. */
export const sizes = [
  { width: 1280, height: 800 },
  { width: 800, height: 480 },
  { width: 1080, height: 1920 },
  { width: 480, height: 800 },
  { width: 390, height: 844 },
];
