import { type ReactNode, useEffect, useRef, useState } from 'react';

type MenuProps = {
  /** Read out before what the button shows. */
  readonly label: string;
  readonly className?: string;
  /** What the button shows. */
  readonly button: ReactNode;
  readonly children: (close: () => void) => ReactNode;
};

/** Enough for the bar at the bottom of a narrow screen, which would cover the panel. */
const keptFreePx = 72;

/** Below the last rows of a page there is no room: the panel then opens upwards, where the styles provide for it. */
function place(panel: HTMLElement | null): void {
  if (panel === null) return;
  const { top, bottom, height } = panel.getBoundingClientRect();
  panel.classList.toggle('is-above', bottom > innerHeight - keptFreePx && top > height + keptFreePx);
}

/** A button with a panel that closes on Escape, on a press elsewhere, and when the focus leaves it. */
export function Menu({ label, className = '', button, children }: MenuProps) {
  const [isOpen, setOpen] = useState(false);
  const frame = useRef<HTMLDivElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!isOpen) return;
    const onPress = (event: PointerEvent) => {
      if (event.target instanceof Node && !frame.current?.contains(event.target)) setOpen(false);
    };
    addEventListener('pointerdown', onPress);
    return () => removeEventListener('pointerdown', onPress);
  }, [isOpen]);
  const close = () => {
    setOpen(false);
    opener.current?.focus();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only notices that the panel was left
    <div
      ref={frame}
      className={`menu ${className}`}
      onKeyDown={event => {
        if (event.key !== 'Escape' || !isOpen) return;
        event.stopPropagation();
        close();
      }}
      onBlur={event => {
        if (event.relatedTarget !== null && !event.currentTarget.contains(event.relatedTarget)) setOpen(false);
      }}
    >
      <button
        ref={opener}
        type="button"
        className="menu-button"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <span className="visually-hidden">{label}</span>
        {button}
      </button>
      {isOpen ? (
        <div ref={place} className="menu-panel">
          {children(close)}
        </div>
      ) : null}
    </div>
  );
}
