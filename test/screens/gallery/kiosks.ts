import { withoutMoney } from '@florin/device/core/kiosk/words.ts';
import { incorrectPassword, lockedOut } from '@florin/device/core/staff/words.ts';
import type { CustomerOutcome, Header, Notice, Returning, Screen } from '@florin/device/ipc/view.ts';
import { type CustomerLanguage, customerLanguages } from '@florin/shared/languages.ts';
import { aSale, cardLeft, displaySettings, inLanguage, lostReader, minuteMs, type Picture, viewOf } from './picture.ts';
import { saleResults, saleStages } from './sales.ts';

const kiosk = { mode: 'kiosk' } as const;
const longName = 'The Old Customs House Restaurant, Rooms & Delicatessen';
type Authorised = Returning | { readonly kind: 'ENTER_KIOSK' | 'LEAVE_KIOSK' };
type Requester = NonNullable<Extract<Screen, { name: 'sale' }>['requestedBy']>;

/** What customers see of a terminal in kiosk mode: every stage and every outcome, in each language. */
export function kiosks(nowMs: number): Picture[] {
  const idle = (header: Partial<Header> = {}) => viewOf({ name: 'kiosk_idle' }, { ...kiosk, ...header });
  return [
    { name: 'kiosk-idle', view: idle() },
    {
      name: 'kiosk-idle-long',
      view: inLanguage('de', () => idle({ businessName: longName, currency: 'EUR' })),
    },
    { name: 'kiosk-idle-offline', view: idle({ service: 'offline' }) },
    {
      name: 'kiosk-idle-reader-lost',
      view: inLanguage('fr', () => idle({ ...lostReader, businessName: longName })),
    },
    {
      name: 'kiosk-idle-card-left',
      view: inLanguage('es', () => idle({ ...cardLeft(), businessName: longName })),
    },
    ...tips(nowMs),
    ...stages(nowMs),
    ...outcomes(nowMs),
    ...outcomes(nowMs)
      .filter(({ name }) => /-(approved|declined|being_returned)/.test(name))
      .map(({ name, view: { screen, header } }) => ({
        name: `${name}-card-left`,
        view: viewOf(screen, { ...header, ...cardLeft() }),
      })),
    ...forStaff(nowMs),
  ];
}

/** What the customer's display of a counter shows while the reader asks for a tip. */
function tips(nowMs: number): Picture[] {
  const tip = { name: 'tip', amount: { amountMinor: 24_50, currency: 'GBP' }, since: nowMs } as const;
  return customerLanguages.map(language =>
    inLanguage(language, () => ({ name: `kiosk-tip-${language}`, view: viewOf(tip, kiosk) })),
  );
}

function stages(nowMs: number): Picture[] {
  const named = (name: string) => saleStages(nowMs).filter(picture => picture.name === name);
  const offline = customerLanguages.flatMap(language =>
    inLanguage(language, () =>
      named('sale-present_card-offline').map(({ view: { screen, header } }) => ({
        name: `kiosk-sale-present_card-offline-${language}`,
        view: viewOf(requested(screen), { ...header, ...kiosk, service: 'offline' }),
      })),
    ),
  );
  const shown = saleStages(nowMs)
    .filter(({ name }) => !/-(late|offline|requested|requested-long|reader-lost|connection-lost)$/.test(name))
    .flatMap(({ name }, index) =>
      inLanguage(languageOf(index), () =>
        named(name).map(({ view: { screen, header } }) => ({
          name: `kiosk-${name}`,
          view: viewOf(requested(screen), { ...header, ...kiosk }),
        })),
      ),
    );
  const cardLeftIn = shown
    .filter(({ name }) => name === 'kiosk-sale-checking')
    .map(({ name, view: { screen, header } }) => ({
      name: `${name}-card-left`,
      view: viewOf(screen, { ...header, ...cardLeft() }),
    }));
  return [...shown, ...offline, ...cardLeftIn];
}

function outcomes(nowMs: number): Picture[] {
  return customerLanguages.flatMap(language => inLanguage(language, () => outcomesIn(nowMs, language)));
}

function outcomesIn(nowMs: number, language: CustomerLanguage): Picture[] {
  const shown = new Map<CustomerOutcome, Screen>();
  for (const { view } of saleResults(nowMs))
    if (view.screen.name === 'sale_result' && !shown.has(view.screen.customerOutcome))
      shown.set(view.screen.customerOutcome, view.screen);
  return [...shown].map(([outcome, screen]) => ({
    name: `kiosk-result-${outcome}${language === 'en' ? '' : `-${language}`}`,
    // The receipt is shown only if the software requested it.
    view: viewOf(requested(screen, language === 'de' || language === 'es'), kiosk),
  }));
}

function requested(screen: Screen, shouldPrint = false): Screen {
  const requestedBy: Requester = { name: 'Kiosk by the door', reference: 'Order 1042', language: null };
  if (screen.name === 'sale') return { ...screen, requestedBy };
  if (screen.name !== 'sale_result') throw new Error('no sale is shown');
  return { ...screen, requestedBy, receipt: shouldPrint ? screen.receipt : [] };
}

/** Customers' pictures take turns. */
export function languageOf(index: number): CustomerLanguage {
  return customerLanguages[index % customerLanguages.length] ?? 'en';
}

/** Screens for staff in kiosk mode: a refund that software requested, and leaving kiosk mode. */
function forStaff(nowMs: number): Picture[] {
  const { words } = displaySettings;
  const requester: Requester = { name: 'Kiosk by the door', reference: 'Order 1042', language: 'de' };
  const refund: Returning = {
    kind: 'REFUND_SALE',
    sale: aSale(nowMs, { status: 'settled', action: 'refund' }),
    amountMinor: 10_00,
    requestedBy: requester,
    approvesFor: null,
    cancelsAt: nowMs + 4.5 * minuteMs,
  };
  const leaving: Authorised = { kind: 'LEAVE_KIOSK' };
  const asks = (authorised: Authorised, notice: Notice | null = null) => ({
    id: { name: 'staff_id', authorised, entry: 0, busy: false, notice } as const,
    password: { name: 'staff_password', authorised, staffName: 'Amara Okafor', busy: false, notice } as const,
    chosen: { name: 'new_password', authorised, staffName: 'Amara Okafor', busy: false, notice } as const,
    locked: {
      name: 'locked_out',
      authorised,
      notice: notice ?? words.modes.notReached,
      lockedUntil: nowMs + 4.5 * minuteMs,
    } as const,
  });
  const shown = (name: string, screen: Screen) => ({ name: `kiosk-${name}`, view: viewOf(screen, kiosk) });
  return [
    shown('refund-staff-id', asks(refund).id),
    shown('refund-staff-id-notice', asks(refund, words.notices.incorrectStaffId).id),
    shown('refund-staff-password', asks(refund).password),
    shown('refund-staff-password-notice', asks(refund, incorrectPassword(2, words)).password),
    shown('refund-new-password', asks(refund).chosen),
    shown('refund-confirm', { name: 'confirm_return', returning: refund }),
    shown('refund-result', {
      name: 'return_result',
      returning: { ...refund, cancelsAt: null },
      outcome: 'approved',
      notice: { message: words.returned.refunded.message, detail: words.returned.refunded.detail('£10.00') },
      sale: refund.sale,
      receipt: [],
    }),
    ...(['expired', 'cancelled'] as const).map(why =>
      shown(`refund-${why}`, {
        name: 'return_result',
        returning: { ...refund, cancelsAt: null },
        outcome: 'refused',
        notice: words.withdrawn[why](requester.name),
        sale: refund.sale,
        receipt: [],
      }),
    ),
    shown('leave-staff-id', asks(leaving).id),
    shown('leave-staff-id-notice', asks(leaving, words.modes.managerRequired).id),
    shown('leave-offline', asks(leaving, words.modes.notReached).id),
    shown('leave-staff-password', asks(leaving).password),
    shown('leave-new-password', asks(leaving).chosen),
    shown(
      'leave-locked',
      asks(leaving, withoutMoney(lockedOut('14:05', { words, staffName: 'Amara Okafor' }), words)).locked,
    ),
    { name: 'keypad-enter-kiosk', view: viewOf(asks({ kind: 'ENTER_KIOSK' }).id) },
  ];
}
