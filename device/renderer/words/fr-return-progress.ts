import type { StaffText } from './en.ts';

export const stillWaitingForBank = 'Toujours en attente de la banque…';

/** The words while a void or refund is sent or its outcome looked up, in French. */
export const frReturnProgress: StaffText['returnProgress'] = {
  voiding: 'Annulation de la vente',
  refunding: 'Remboursement sur la carte',
  sendingDetail: 'Veuillez patienter.',
  checking: {
    CANCEL: 'Ne pas annuler à nouveau',
    REFUND_SALE: 'Ne pas rembourser à nouveau',
  },
  checkingDetail: 'La réponse s’est perdue en route, elle est recherchée. Rien n’est renvoyé.',
  unreachable: {
    CANCEL:
      'La connexion est perdue : on ne sait pas encore si la vente a été annulée. Dès son retour, tout continue sans rien faire.',
    REFUND_SALE:
      'La connexion est perdue : on ne sait pas encore si l’argent a été remboursé. Dès son retour, tout continue sans rien faire.',
  },
  late: [
    { afterSeconds: 5, words: stillWaitingForBank },
    { afterSeconds: 20, words: 'La banque met plus de temps que d’habitude.' },
  ],
  noCancel: 'Cela ne peut plus être arrêté.',
  leave: 'Quitter cet écran',
};
