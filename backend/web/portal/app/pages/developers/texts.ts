import { texts } from '../../words/texts.ts';

const en = {
  reference: 'API reference',
  records: {
    pay: 'Open the payment',
    pl: 'Open the payment link',
    chk: 'Open the checkout',
    tip: 'Open the tip link',
    wh: 'Open the webhook',
    key: 'Open the API key',
  },
};

const de: typeof en = {
  reference: 'API-Referenz',
  records: {
    pay: 'Zahlung öffnen',
    pl: 'Zahlungslink öffnen',
    chk: 'Checkout öffnen',
    tip: 'Trinkgeldlink öffnen',
    wh: 'Webhook öffnen',
    key: 'API-Schlüssel öffnen',
  },
};

export const developersTexts = texts({ en, de });
