import type { StaffText } from './en.ts';

export const stillWaitingForBank = 'Es wird noch auf die Bank gewartet …';

/** The words while a void or refund is sent or its outcome looked up, in German. */
export const deReturnProgress: StaffText['returnProgress'] = {
  voiding: 'Der Verkauf wird storniert',
  refunding: 'Auf die Karte wird erstattet',
  sendingDetail: 'Bitte warten.',
  checking: {
    CANCEL: 'Warten: nicht noch einmal stornieren',
    REFUND_SALE: 'Warten: nicht noch einmal erstatten',
  },
  checkingDetail: 'Die Antwort ging unterwegs verloren und wird nachgesehen. Es wird nichts noch einmal gesendet.',
  unreachable: {
    CANCEL:
      'Die Verbindung fehlt. Ob der Verkauf storniert wurde, ist noch nicht bekannt. Sobald sie wieder da ist, geht es von selbst weiter.',
    REFUND_SALE:
      'Die Verbindung fehlt. Ob das Geld erstattet wurde, ist noch nicht bekannt. Sobald sie wieder da ist, geht es von selbst weiter.',
  },
  late: [
    { afterSeconds: 5, words: stillWaitingForBank },
    { afterSeconds: 20, words: 'Die Bank braucht länger als sonst.' },
  ],
  noCancel: 'Das lässt sich nicht mehr aufhalten.',
  leave: 'Diese Seite verlassen',
};
