import type { CoreWords } from './en.ts';
import type { enSales } from './en-sales.ts';

const nothingCharged = 'Rien n’a été débité.';
const notAskedNotCharged = 'La banque n’a pas été interrogée et rien n’a été débité.';
const cancelledUnanswered = 'La vente a été abandonnée avant la réponse de la banque.';
const untilThen = 'D’ici là, la carte est peut-être débitée : attendre avant d’encaisser à nouveau.';
const chargedTwice = 'En cas de nouvel encaissement, le client est débité deux fois jusqu’au remboursement.';
const notAgain = 'Ne pas encaisser à nouveau.';
const part = 'la partie approuvée par la banque';
const thePart = 'La partie approuvée par la banque';

/** The sentences of sales in French. */
export const frSales: Pick<CoreWords, keyof typeof enSales> = {
  results: {
    approved: { message: 'Acceptée', detail: null },
    approvedDespiteCancel: {
      message: 'Acceptée',
      detail:
        'La carte a été débitée avant que la vente puisse être abandonnée. Pour rendre l’argent, annuler ou rembourser la vente dans Ventes récentes.',
    },
    approvedWithoutReader: {
      message: 'Acceptée',
      detail: amount =>
        `Carte débitée, sans confirmation du lecteur. Remettre la marchandise, ne pas encaisser ${amount} à nouveau. Si le client conteste, annuler.`,
    },
    declined: { message: 'Refusée', detail: `La banque a refusé la carte. ${nothingCharged}` },
    bankFailed: { message: 'Échec du paiement', detail: `La banque n’a pas pu traiter le paiement. ${nothingCharged}` },
    cardRefused: { message: 'Refusée', detail: `La carte n’a pas été acceptée. ${nothingCharged}` },
    cardRemoved: { message: 'Abandonnée', detail: `Carte retirée trop tôt. ${nothingCharged}` },
    cancelledByCustomer: {
      message: 'Abandonnée',
      detail: `Le client a abandonné ou retiré sa carte. ${nothingCharged}`,
    },
    cancelledByStaff: { message: 'Abandonnée', detail: `Vous avez abandonné la vente. ${nothingCharged}` },
    cancelledUnanswered: { message: 'Non payée', detail: `${cancelledUnanswered} ${nothingCharged}` },
    noCard: { message: 'Temps écoulé', detail: `Pas de carte, ou pas de code, à temps. ${nothingCharged}` },
    noReader: { message: 'Pas de lecteur de carte', detail: `Le lecteur n’a pas répondu. ${nothingCharged}` },
    readerOpened: { message: 'Lecteur ouvert : ne pas l’utiliser', detail: `${nothingCharged} Appeler l’assistance.` },
    readerEmpty: { message: 'La batterie du lecteur est vide', detail: nothingCharged },
    readerDisconnected: { message: 'Lecteur déconnecté', detail: nothingCharged },
    readerBusy: { message: 'Le lecteur est occupé', detail: nothingCharged },
    readerNotAvailable: { message: 'Le lecteur n’est pas disponible', detail: nothingCharged },
    notReached: { message: 'Serveur injoignable', detail: notAskedNotCharged },
    refused: { message: 'Paiement refusé', detail: notAskedNotCharged },
    restarted: { message: 'Interrompue', detail: `Le terminal a redémarré. ${nothingCharged}` },
    voided: {
      message: 'Non débitée',
      detail: amount => `Le paiement de ${amount} a été annulé. Le client ne paie pas.`,
    },
    readerForgot: {
      message: 'Ne pas encaisser à nouveau',
      detail: code =>
        `Le lecteur a redémarré et ne connaît plus ce paiement. La carte est peut-être débitée. Appeler l’assistance et donner le code ${code}.`,
    },
    disagree: {
      message: 'Ne pas encore remettre la marchandise',
      detail: code =>
        `Le lecteur annonce un accord, mais le service ne connaît pas cette vente. ${notAgain} Appeler l’assistance et donner le code ${code}.`,
    },
    timedOut: { message: 'Temps écoulé', detail: `Le temps prévu pour cette vente est écoulé. ${nothingCharged}` },
    cancelledBySoftware: {
      message: 'Abandonnée',
      detail: requestedBy => `${requestedBy} a abandonné la vente. ${nothingCharged}`,
    },
  },
  again: {
    here: {
      now: 'Réessayer.',
      other_card: 'Demander une autre carte, puis réessayer.',
      cable: 'Vérifier le câble, puis réessayer.',
      cable_and_power: 'Vérifier son câble et son alimentation, puis réessayer.',
      network: 'Vérifier le réseau, puis réessayer.',
      battery: 'Charger le lecteur, puis réessayer.',
      moment: 'Attendre un instant, puis réessayer.',
    },
    from: {
      now: software => `Relancer la vente depuis ${software}.`,
      other_card: software => `Demander une autre carte, puis relancer la vente depuis ${software}.`,
      cable: software => `Vérifier le câble, puis relancer la vente depuis ${software}.`,
      cable_and_power: software => `Vérifier son câble et son alimentation, puis relancer la vente depuis ${software}.`,
      network: software => `Vérifier le réseau, puis relancer la vente depuis ${software}.`,
      battery: software => `Charger le lecteur, puis relancer la vente depuis ${software}.`,
      moment: software => `Attendre un instant, puis relancer la vente depuis ${software}.`,
    },
  },
  reversed: {
    partly: {
      message: 'Refusée',
      detail: amount => `La banque ne voulait pas payer la totalité de ${amount} avec cette carte.`,
    },
    unanswered: { message: 'Non payée', detail: cancelledUnanswered },
    declined: { message: 'Refusée', detail: 'La carte a refusé après l’accord de la banque.' },
    cancelled: { message: 'Abandonnée', detail: 'Le paiement a été abandonné après l’accord de la banque.' },
    timed_out: { message: 'Temps écoulé', detail: 'Le lecteur a renoncé après l’accord de la banque.' },
    failed: { message: 'Non terminée', detail: 'Le paiement n’a pas été terminé.' },
  },
  reversals: {
    not_needed: { message: null, detail: () => nothingCharged },
    voided: {
      message: null,
      detail: what =>
        `${what === null ? `${thePart} a été rendue` : `Le montant de ${what} a été rendu`} à la carte. Le client ne paie pas.`,
    },
    refunded: {
      message: 'Débitée et remboursée',
      detail: what =>
        `${what === null ? `${thePart} a été débitée puis remboursée` : `Le montant de ${what} a été débité puis remboursé`} en totalité ; le remboursement arrive en général sous un à cinq jours ouvrés.`,
    },
    not_acknowledged: {
      message: 'Non payée',
      detail: what =>
        `Garder la marchandise. Si la banque a débité ${what ?? part}, l’argent revient sur la carte dès que le service l’a confirmé. Le terminal continue d’essayer. ${untilThen}`,
    },
    awaiting_outcome: {
      message: 'Non payée',
      detail: what =>
        `Garder la marchandise. On ne sait pas encore si la banque a débité ${what ?? part} : si oui, l’argent revient de lui-même sur la carte. Le client peut payer maintenant avec une autre carte ou en espèces. Sa banque peut montrer le premier paiement en attente quelques jours.`,
    },
    void_pending: {
      message: 'Argent en cours de retour',
      detail: what =>
        `Il n’est pas encore certain que ${what === null ? `${part} revienne` : `${what} reviennent`} sur la carte. Le service continue d’essayer. ${untilThen}`,
    },
    awaiting_settlement: {
      message: 'Débitée, remboursement à venir',
      detail: what =>
        `${what === null ? `${thePart} a été débitée` : `Le montant de ${what} a été débité`} et il est trop tard pour annuler. Le service rembourse tout dès la télécollecte, en général en une journée. ${chargedTwice}`,
    },
    refund_pending: {
      message: 'Débitée, remboursement à venir',
      detail: what =>
        `${what === null ? `${thePart} a été débitée` : `Le montant de ${what} a été débité`} et un remboursement total est demandé ; la banque n’a pas encore répondu. Le service continue de demander. ${chargedTwice}`,
    },
    declined: {
      message: 'La carte a été débitée',
      detail: what =>
        `La banque a refusé de rendre ${what ?? part}. ${notAgain} Remettre la marchandise, ou demander à un responsable de rendre l’argent.`,
    },
    refused: {
      message: 'La carte a été débitée',
      detail: what =>
        `Pour le service, cette vente est terminée : ${what === null ? `${part} n’a pas été rendue` : `le montant de ${what} n’a pas été rendu`}. ${notAgain} Pour rendre l’argent, annuler ou rembourser la vente dans Ventes récentes.`,
    },
  },
  uncharged: {
    byCard: 'La carte n’a pas été débitée',
    inBitcoin: 'Rien n’a été payé',
    why: {
      staff: 'La vente a été abandonnée avant que la banque soit interrogée.',
      customer: 'Le client a abandonné ou retiré sa carte.',
      no_card: 'Pas de carte, ou pas de code, à temps.',
      card_refused: 'La carte n’a pas été acceptée.',
      reader_not_found: 'Le lecteur n’a pas répondu.',
      reader_not_available: 'Le lecteur n’était pas disponible.',
      service_not_reached: 'Le serveur était injoignable : la banque n’a pas été interrogée.',
      service_refused: 'Le paiement a été refusé avant que la banque soit interrogée.',
      interrupted: 'La vente a été interrompue avant que la banque soit interrogée.',
      bitcoin_cancelled: 'La vente a été abandonnée avant l’affichage d’un code.',
      bitcoin_withdrawn: 'La vente a été terminée ailleurs avant l’affichage d’un code.',
      bitcoin_refused: 'Le bitcoin n’était pas possible.',
    },
    next: 'Revenir à la liste pour voir si la vente a été payée plus tard. Sinon, encaisser à nouveau.',
  },
  notCompleted: 'Non terminée',
  asksSignature: {
    onPaper: 'Le client signe le ticket sorti de l’imprimante.',
    elsewhere: 'Le client doit signer.',
    compare: 'Comparez la signature avec celle de la carte. Si elle ne correspond pas, annulez la vente.',
  },
  notCancellable: {
    cancelling: 'Abandon en cours : le lecteur est prévenu.',
    authorising: 'Le paiement est en cours d’autorisation, la vente ne peut plus être abandonnée.',
    reversing: 'L’accord est en cours d’annulation.',
    endingUnanswered: 'La banque n’a pas encore répondu, le lecteur termine sans elle.',
    connectionLost: 'La connexion est perdue, la vente ne peut plus être abandonnée.',
    answered: 'La banque a répondu, la vente ne peut plus être abandonnée.',
    approved: `La banque a accepté. Le terminal attend le lecteur : vérifier son câble s’il ne répond pas. ${notAgain}`,
    unanswered: 'La banque n’a pas encore répondu. Un instant.',
    maybeCharged: `La carte est peut-être débitée. Cela peut durer environ dix minutes, ou plus si la banque est injoignable. Le client peut attendre ou laisser ses coordonnées. ${notAgain}`,
    maybeChargedByReader: `La carte est peut-être débitée. Le terminal demande jusqu’à ce qu’il sache. Le client peut attendre ou laisser ses coordonnées. ${notAgain}`,
    checking: 'Le terminal cherche le résultat de cette vente.',
  },
  bitcoinResults: {
    paid: { message: 'Payée', detail: 'Les bitcoins sont arrivés.' },
    paidTooMuch: {
      message: 'Payée',
      detail: excess =>
        `Les bitcoins sont arrivés, ${excess} de plus que demandé. Le surplus est à rendre : prévenir un responsable.`,
    },
    expired: {
      message: 'Temps écoulé',
      detail:
        'Aucun paiement n’est arrivé à temps. S’il en arrive un plus tard, il est gardé pour le client : prévenir un responsable s’il le demande.',
    },
    underpaid: {
      message: 'Paiement incomplet',
      detail: (received, asked) =>
        `Seuls ${received} sur ${asked} sont arrivés à temps. Ne pas remettre la marchandise : ils sont à rendre, prévenir un responsable.`,
    },
    cancelled: { message: 'Abandonnée', detail: 'La vente a été abandonnée. Rien n’a été payé.' },
    withdrawn: { message: 'Abandonnée', detail: 'La vente a été terminée ailleurs. Rien n’a été payé.' },
    refused: {
      message: 'Bitcoin impossible',
      detail: why => `${why ?? 'Le service l’a refusé'}. Rien n’a été payé.`,
    },
  },
};
