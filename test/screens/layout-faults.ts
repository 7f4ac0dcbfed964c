import type { Page } from '@playwright/test';

/** Keys of the on-screen keyboard are ten to a row, so they are narrower than other targets. */
const minTargetPixels = 56;
const minKeyPixels = { width: 30, height: 54 };

/** Returns what does not fit: sideways scrolling, cut-off words, hidden parts, controls too small or off the screen. */
export function layoutFaults(page: Page): Promise<string[]> {
  return page.evaluate(
    ({ min, minKey }) => {
      const found: string[] = [];
      const root = document.documentElement;
      if (root.scrollWidth > window.innerWidth) found.push(`page is ${root.scrollWidth} wide`);
      const visible = [...document.querySelectorAll<HTMLElement>('.terminal *')].filter(
        element => element.checkVisibility() && element.closest('.visually-hidden, svg, .watermark') === null,
      );
      const name = (element: Element) =>
        `${element.tagName.toLowerCase()}.${element.className} "${element.textContent?.slice(0, 40)}"`;
      // Only a list of sales, the totals of a day and the status may be longer than the screen.
      const mayScroll = (element: Element) =>
        element.closest(
          ':is([data-screen=recent_sales], [data-screen=day_report], [data-screen=terminal_status]) .work',
        ) !== null;
      for (const element of visible) {
        const box = element.getBoundingClientRect();
        const style = getComputedStyle(element);
        // Text for screen readers only.
        if (style.clipPath !== 'none' || box.width === 0 || box.height === 0) continue;
        if (box.left < -1 || box.right > window.innerWidth + 1)
          found.push(`${name(element)} is partly beside the screen`);
        if (!mayScroll(element) && (box.top < -1 || box.bottom > window.innerHeight + 1))
          found.push(`${name(element)} is partly above or below the screen`);
        const spills = element.scrollWidth > element.clientWidth + 1 && style.display !== 'inline';
        if (spills && element.clientWidth > 0 && style.textOverflow !== 'ellipsis')
          found.push(`${name(element)} spills sideways`);
        const isTooLong = element.scrollHeight > element.clientHeight + 1;
        if (style.overflowY !== 'visible' && isTooLong && !mayScroll(element) && !element.matches('.header-names > *'))
          found.push(`${name(element)} hides ${element.scrollHeight - element.clientHeight} pixels`);
        if (
          element.matches('main, .frame, .frame > *, .stage, .outcome, .pay-code') &&
          isTooLong &&
          !mayScroll(element)
        )
          found.push(`${name(element)} overlaps what is below it`);
        if (!element.matches('button, input')) continue;
        const [width, height] = element.matches('.keyboard-key') ? [minKey.width, minKey.height] : [min, min];
        if (box.width < width || box.height < height) found.push(`${name(element)} is only ${box.width}×${box.height}`);
      }
      for (const words of document.querySelectorAll('.status-words')) {
        if (words.checkVisibility() && words.getBoundingClientRect().width < 20)
          found.push(`${name(words)} is an icon only`);
      }
      const middleOf = (element: Element) => {
        const { left, right } = element.getBoundingClientRect();
        return (left + right) / 2;
      };
      for (const words of document.querySelectorAll('.kiosk-idle, .kiosk-result, .message')) {
        const besidePixels = Math.abs(middleOf(words) - middleOf(words.parentElement ?? words));
        if (besidePixels > 1) found.push(`${name(words)} is ${besidePixels} pixels beside the middle`);
      }
      const parts = [...document.querySelectorAll('.frame > *')].filter(part => part.checkVisibility());
      const boxes = parts.map(part => ({ part, box: part.getBoundingClientRect() }));
      for (const [index, one] of boxes.entries()) {
        for (const other of boxes.slice(index + 1)) {
          const apart =
            one.box.right <= other.box.left + 7 ||
            other.box.right <= one.box.left + 7 ||
            one.box.bottom <= other.box.top + 7 ||
            other.box.bottom <= one.box.top + 7;
          if (!apart) found.push(`${name(one.part)} covers ${name(other.part)}`);
        }
      }
      return found;
    },
    { min: minTargetPixels, minKey: minKeyPixels },
  );
}

/** Returns the words of buttons, headings and labels that go on in the next line without a hyphen. */
export function brokenWords(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = [];
    for (const element of document.querySelectorAll('.button, h1, h2, dt, label')) {
      if (!element.checkVisibility()) continue;
      const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
      while (texts.nextNode()) {
        const text = texts.currentNode;
        for (const word of (text.textContent ?? '').matchAll(/[\p{L}\p{N}]{2,}/gu)) {
          const range = document.createRange();
          range.setStart(text, word.index);
          range.setEnd(text, word.index + word[0].length);
          const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
          if (lines.size > 1) found.push(`"${word[0]}" of ${element.tagName.toLowerCase()} is broken`);
        }
      }
    }
    return found;
  });
}
