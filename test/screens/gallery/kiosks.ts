import type { CustomerOutcome, Header, Screen } from '@florin/device/ipc/view.ts';
import { lostReader, type Picture, viewOf } from './picture.ts';
import { saleResults, saleStages } from './sales.ts';

const kiosk = { mode: 'kiosk' } as const;
const longName = 'The Old Customs House Restaurant, Rooms & Delicatessen';
type Requester = NonNullable<Extract<Screen, { name: 'sale' }>['requestedBy']>;

/** What customers see of a terminal in kiosk mode: every stage and every outcome, in the languages there are. */
export function kiosks(nowMs: number): Picture[] {
  const idle = (header: Partial<Header> = {}) => viewOf({ name: 'kiosk_idle' }, { ...kiosk, ...header });
  return [
    { name: 'kiosk-idle', view: idle() },
    { name: 'kiosk-idle-long', view: idle({ businessName: longName, locale: 'de-DE', currency: 'EUR' }) },
    { name: 'kiosk-idle-offline', view: idle({ service: 'offline' }) },
    { name: 'kiosk-idle-reader-lost', view: idle({ ...lostReader, businessName: longName, locale: 'fr-FR' }) },
    ...stages(nowMs),
    ...outcomes(nowMs),
  ];
}

function stages(nowMs: number): Picture[] {
  return saleStages(nowMs)
    .filter(({ name }) => !/-(late|requested|requested-long|reader-lost|connection-lost)$/.test(name))
    .map(({ name, view: { screen, header } }, index) => ({
      name: `kiosk-${name}`,
      view: viewOf(requested(screen, languageOf(index)), { ...header, ...kiosk }),
    }));
}

function outcomes(nowMs: number): Picture[] {
  const shown = new Map<CustomerOutcome, Screen>();
  for (const { view } of saleResults(nowMs))
    if (view.screen.name === 'sale_result' && !shown.has(view.screen.customerOutcome))
      shown.set(view.screen.customerOutcome, view.screen);
  return [...shown].flatMap(([outcome, screen]) =>
    ['en', 'de', 'fr'].map(language => ({
      name: `kiosk-result-${outcome}${language === 'en' ? '' : `-${language}`}`,
      // Only where software asked for it is the receipt shown.
      view: viewOf(requested(screen, language, language === 'de'), kiosk),
    })),
  );
}

function requested(screen: Screen, language: string, shouldPrint = false): Screen {
  const requestedBy: Requester = { name: 'Kiosk by the door', reference: 'Order 1042', language };
  if (screen.name === 'sale') return { ...screen, requestedBy };
  if (screen.name !== 'sale_result') throw new Error('no sale is shown');
  return { ...screen, requestedBy, receipt: shouldPrint ? screen.receipt : [] };
}

function languageOf(index: number): string {
  return ['en', 'de', 'fr'][index % 3] ?? 'en';
}
