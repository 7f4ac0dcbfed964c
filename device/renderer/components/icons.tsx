import type { ReactNode } from 'react';

function Icon({ children }: { children: ReactNode }) {
  return (
    <svg className="icon" viewBox="0 0 24 24" aria-hidden="true">
      {children}
    </svg>
  );
}

/** On the Back button. */
export const BackIcon = () => (
  <Icon>
    <path d="M15 5l-7 7 7 7" />
  </Icon>
);
/** On the button that searches. */
export const SearchIcon = () => (
  <Icon>
    <circle cx="10.5" cy="10.5" r="6.5" />
    <path d="M15.5 15.5L21 21" />
  </Icon>
);
/** On a row that opens another screen. */
export const ForwardIcon = () => (
  <Icon>
    <path d="M9 5l7 7-7 7" />
  </Icon>
);
/** On the button that changes the language. */
export const LanguageIcon = () => (
  <Icon>
    <circle cx="12" cy="12" r="9" />
    <path d="M3 12h18M12 3c3 3 4 6 4 9s-1 6-4 9c-3-3-4-6-4-9s1-6 4-9z" />
  </Icon>
);
/** On the key that deletes the last character. */
export const DeleteIcon = () => (
  <Icon>
    <path d="M9 5h10a2 2 0 0 1 2 2v10a2 2 0 0 1-2 2H9l-6-7z" />
    <path d="M11.5 9.5l5 5m0-5l-5 5" />
  </Icon>
);
/** Filled and underlined while caps lock is on. */
export const ShiftIcon = ({ locked }: { locked: boolean }) => (
  <Icon>
    <path className={locked ? 'icon-fill' : ''} d="M12 4l8 8.5h-4.5V17h-7v-4.5H4z" />
    {locked ? <path d="M8.5 20.5h7" /> : null}
  </Icon>
);
/** On the button that shows a password; crossed out while the password is visible. */
export const EyeIcon = ({ off }: { off: boolean }) => (
  <Icon>
    <path d="M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12z" />
    <circle cx="12" cy="12" r="3" />
    {off ? <path d="M4 20L20 4" /> : null}
  </Icon>
);
/** The result of an approved void or refund. */
export const ReturnIcon = () => (
  <Icon>
    <path d="M9 7L4 12l5 5M4.5 12H15a5 5 0 0 1 5 5v1" />
  </Icon>
);
/** On the button that charges the amount again. */
export const AgainIcon = () => (
  <Icon>
    <path d="M19.5 12a7.5 7.5 0 1 1-2.3-5.4M19.5 3.5v4h-4" />
  </Icon>
);
/** What staff note of a sale. */
export const NoteIcon = () => (
  <Icon>
    <path d="M5 19l1-4L16.5 4.5l3 3L9 18zM14.5 6.5l3 3" />
  </Icon>
);
/** Sending a receipt by e-mail. */
export const MailIcon = () => (
  <Icon>
    <path d="M4 6.5h16v11H4zM4.5 7l7.5 6 7.5-6" />
  </Icon>
);
/** An approved sale, or a rule that a new password meets. */
export const CheckIcon = () => (
  <Icon>
    <path d="M5 12.5l4.5 4.5L19 7.5" />
  </Icon>
);
/** A result that moved no money: declined, refused, cancelled or not charged. */
export const CrossIcon = () => (
  <Icon>
    <path d="M6.5 6.5l11 11m0-11l-11 11" />
  </Icon>
);
/** On banners and notices, and for results that need a member of staff. */
export const AttentionIcon = () => (
  <Icon>
    <path d="M12 4L2.5 20h19z" />
    <path d="M12 10v4.5m0 2.6v.1" />
  </Icon>
);
/** Beside an explanation, for example why a sale cannot be cancelled. */
export const InfoIcon = () => (
  <Icon>
    <circle cx="12" cy="12" r="9" />
    <path d="M12 11v5.5m0-9v.1" />
  </Icon>
);
/** Beside a timer, and for results that are pending or timed out. */
export const ClockIcon = () => (
  <Icon>
    <circle cx="12" cy="12" r="9" />
    <path d="M12 7v5.5l3.5 2" />
  </Icon>
);
/** On the buttons that change the mode, and on the screen of a lockout. */
export const LockIcon = () => (
  <Icon>
    <rect x="4.5" y="11" width="15" height="9.5" rx="2" />
    <path d="M8 11V8a4 4 0 0 1 8 0v3" />
  </Icon>
);
/** On the button for recent sales, and in the list while it is empty. */
export const ListIcon = () => (
  <Icon>
    <path d="M5 3.5h14v17l-2.3-1.5-2.4 1.5-2.3-1.5-2.3 1.5-2.4-1.5L5 20.5z" />
    <path d="M9 8.5h6M9 12.5h6" />
  </Icon>
);
/** The connection to the service; crossed out while offline. */
export const CloudIcon = ({ off }: { off: boolean }) => (
  <Icon>
    <path d="M7 18.5a4.5 4.5 0 0 1-.3-9 5.8 5.8 0 0 1 11.1 1.2A4 4 0 0 1 17.5 18.5z" />
    {off ? <path d="M4 4l16 17" /> : null}
  </Icon>
);
/** The card reader, in the header. */
export const ReaderIcon = () => (
  <Icon>
    <rect x="6" y="2.5" width="12" height="19" rx="2.5" />
    <path d="M9 6h6v3.5H9zM9.5 13.5h.1m2.4 0h.1m2.4 0h.1m-5.1 4h.1m2.4 0h.1m2.4 0h.1" />
  </Icon>
);
/** Entries that wait to be sent, in the header. */
export const SendIcon = () => (
  <Icon>
    <path d="M12 19V6m-5.5 5L12 5.5l5.5 5.5" />
  </Icon>
);
/** Its fill shows the charge. */
export const BatteryIcon = ({ percent }: { percent: number }) => (
  <Icon>
    <rect x="2.5" y="7.5" width="16.5" height="9" rx="2" />
    <path d="M21.5 10.5v3" />
    <rect className="icon-fill" x="4.8" y="9.8" width={(12 * Math.min(100, Math.max(8, percent))) / 100} height="4.4" />
  </Icon>
);

/** On the buttons for payment in bitcoin, and in place of the code while there is none. */
export const BitcoinIcon = () => (
  <Icon>
    <path d="M8 5h5.5a3.4 3.4 0 0 1 0 6.8H8zm0 6.8h6.3a3.6 3.6 0 0 1 0 7.2H8zM8 5v14M6 5h2m-2 14h2m3-16.5V5m3-2.5V5m-3 14v2.5m3-2.5v2.5" />
  </Icon>
);

/** On the button that prints a receipt. */
export const PrinterIcon = () => (
  <Icon>
    <path d="M7 8.5V3.5h10v5M7 16.5H4.5v-8h15v8H17" />
    <path d="M7 13.5h10v7H7z" />
  </Icon>
);
/** On the button that shows the code of a receipt. */
export const CodeIcon = () => (
  <Icon>
    <path d="M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h2.5v2.5M20 14v2.5M14 20h2.5M20 20v.1" />
  </Icon>
);

/** The logo: a florin coin. */
export const Mark = () => (
  <svg className="mark" viewBox="0 0 48 48" aria-hidden="true">
    <circle className="mark-rim" cx="24" cy="24" r="20" />
    <path className="mark-letter" d="M30.5 14.5c-6-1.6-9 1-9 6.5v14M16.5 23.5h12" />
  </svg>
);
