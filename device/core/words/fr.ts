import type { CoreWords } from './en.ts';
import { frDayReport } from './fr-day-report.ts';
import { frReaderDay } from './fr-reader-day.ts';
import { frSales } from './fr-sales.ts';

const notReached = 'Serveur injoignable';
const noMoneyMoved = 'Aucun mouvement d’argent.';
const notEnrolled = 'Ce terminal n’est plus enregistré';
const support = 'Appeler l’assistance.';
const thisStaffMember = 'Cette personne';
const locked = 'Bloqué';

/** Every sentence of the core in French. */
export const fr: CoreWords = {
  noMoneyMoved,
  terminal: {
    salesNotReached: {
      message: notReached,
      detail: 'Voici les dernières ventes vues par ce terminal ; ce qui leur est arrivé ailleurs manque.',
    },
    searchNotReached: {
      message: notReached,
      detail: 'La recherche exige une connexion. Elle reprendra dès son retour.',
    },
    notOfASale: {
      message: 'Ce code n’est pas celui d’un reçu',
      detail: 'Rien n’a été débité. Pour chercher une vente avec ce code, le scanner dans Ventes récentes.',
    },
    checkingConnection: { message: 'Vérification de la connexion', detail: null },
    diskFull: {
      message: 'Le disque de ce terminal est plein',
      detail: 'Rien n’a été débité. Plus de ventes tant que le disque est plein : appeler l’assistance.',
    },
    saleNotStarted: {
      message: notReached,
      detail: 'Rien n’a été débité. Vérifier le réseau, puis encaisser à nouveau.',
    },
  },
  printing: {
    merchantCopy: {
      title: 'Ticket commerçant',
      again: 'Duplicata',
      agree: 'J’accepte de payer le montant ci-dessus.',
      signature: 'Signature du client',
    },
    troubles: {
      out_of_paper: { message: 'L’imprimante n’a plus de papier', remedy: 'Mettre un nouveau rouleau' },
      cover_open: { message: 'Le capot de l’imprimante est ouvert', remedy: 'Le fermer' },
      not_reachable: {
        message: 'L’imprimante ne répond pas',
        remedy: 'Vérifier qu’elle est allumée et branchée',
      },
      error: { message: 'L’imprimante signale une erreur', remedy: 'Vérifier l’imprimante' },
    },
    printAgain: remedy => `${remedy}, puis imprimer à nouveau.`,
    mayHavePrinted: remedy =>
      `${remedy}. Si le reçu ne sort pas ensuite, l’imprimer à nouveau : il portera la mention duplicata.`,
    reasons: {
      not_reached: {
        message: notReached,
        detail: 'Le paiement n’est pas concerné. Imprimer le reçu quand le terminal sera de nouveau en ligne.',
      },
      not_ready: {
        message: 'Le reçu n’est pas encore prêt',
        detail: 'Attendre un instant, puis imprimer à nouveau.',
      },
      restarted: {
        message: 'Le reçu a-t-il été imprimé ?',
        detail:
          'Le terminal a redémarré entre-temps. S’il n’est pas sorti, l’imprimer à nouveau : il portera la mention duplicata.',
      },
    },
  },
  receiptEmail: {
    notAnAddress: { message: 'Ce n’est pas une adresse e-mail', detail: 'La vérifier, puis envoyer à nouveau.' },
    notReached: {
      message: notReached,
      detail:
        'Le reçu n’a pas été envoyé. Le paiement n’est pas concerné : l’envoyer quand le terminal sera de nouveau en ligne.',
    },
    unanswered: {
      message: 'Le reçu a-t-il été envoyé ?',
      detail: 'Aucune réponse. Envoyer à nouveau : en moins d’une minute, il n’arrive pas deux fois.',
    },
    notReady: {
      message: 'Le reçu n’est pas encore prêt',
      detail: 'Attendre un instant, puis envoyer à nouveau.',
    },
    tooMany: {
      message: 'Ce reçu a déjà été envoyé le nombre maximal de fois',
      detail: 'Il ne peut plus être envoyé aujourd’hui, ni à une autre adresse. Le client peut scanner son code.',
    },
    slowDown: {
      message: 'Un instant, s’il vous plaît',
      detail: 'Trop d’essais à la fois. Envoyer à nouveau dans quelques secondes.',
    },
    notSent: { message: 'Le reçu n’a pas été envoyé', detail: 'Le client peut scanner son code.' },
  },
  enrolment: {
    removed: {
      message: notEnrolled,
      detail: 'Il a été retiré du commerce. Un responsable peut le réenregistrer avec un nouveau code.',
    },
    removedWithSale: {
      message: notEnrolled,
      detail:
        'Une vente est encore en vérification : ne pas l’encaisser à nouveau. Réenregistrer ce terminal avec un nouveau code d’un responsable pour connaître son résultat.',
    },
    invalid: {
      message: 'Ce code n’est pas valable',
      detail: 'Un code sert une fois, pendant 15 minutes. Le vérifier, ou en demander un autre à un responsable.',
    },
    notReached: {
      message: notReached,
      detail: 'Vérifier le réseau de ce terminal, puis saisir à nouveau le code. Il n’a pas été utilisé.',
    },
    unanswered: {
      message: notReached,
      detail:
        'Pas de réponse. Saisir à nouveau le code ; s’il est refusé cette fois, en demander un autre à un responsable.',
    },
    slowDown: {
      message: 'Un instant, s’il vous plaît',
      detail: 'Trop d’essais à la fois. Saisir à nouveau le code dans quelques secondes.',
    },
  },
  modes: {
    notReached: {
      message: notReached,
      detail:
        'Le mode borne ne commence et ne finit que si le service est joignable. Vérifier le réseau, puis réessayer.',
    },
    managerRequired: {
      message: 'Seul un responsable peut activer ou quitter le mode borne',
      detail: 'Un responsable saisit son identifiant, ou un administrateur change le mode de ce terminal.',
    },
  },
  reader: {
    card_left: 'Retirer la carte',
    tampered: 'Lecteur ouvert : ne pas l’utiliser. Appeler l’assistance.',
    battery_low: 'La batterie du lecteur est faible',
    in_use: 'Le lecteur est utilisé par un autre programme',
    no_permission: 'Cet ordinateur n’autorise pas l’accès au lecteur',
    failed: 'Le lecteur n’a pas pu être ouvert',
    silent: 'Le lecteur ne répond pas',
    incompatible: 'Le lecteur demande un autre logiciel que celui de ce terminal',
    echo: 'Le câble du lecteur renvoie tout',
  },
  alerts: {
    refusedEntry: {
      message: 'Le service a refusé un enregistrement de ce terminal',
      detail: `Il est conservé ici. ${support}`,
    },
    damagedEntry: {
      message: 'Un enregistrement de ce terminal est illisible',
      detail: `Il est conservé ici. ${support}`,
    },
    refusedReport: {
      message: 'Le service a refusé un rapport sur une vente',
      detail: `Il est renvoyé jusqu’à son acceptation. ${support}`,
    },
    diskFull: { message: 'Le disque de ce terminal est plein', detail: `Il ne prend plus de ventes. ${support}` },
    storageRebuilt: {
      message: 'La mémoire était endommagée et a été réparée',
      detail: 'Avant d’encaisser de nouveau, regarder dans Ventes récentes.',
    },
    elsewhere: {
      message: 'Des enregistrements d’un autre commerce attendent',
      detail: 'Ils partiront quand ce terminal y sera de nouveau enregistré.',
    },
    count: count => `Il y en a ${count}.`,
  },
  passwords: {
    tooShort: { message: 'Trop court', detail: 'Choisir un mot de passe d’au moins 8 caractères.' },
    tooLong: { message: 'Trop long', detail: 'Choisir un mot de passe de 128 caractères au plus.' },
    staffNumber: {
      message: 'Pas votre identifiant',
      detail: 'D’autres le connaissent. Choisir ce que vous seul savez.',
    },
    different: {
      message: 'Les mots de passe diffèrent',
      detail: 'Saisir le même nouveau mot de passe dans les deux champs.',
    },
  },
  notices: {
    notReached: {
      message: notReached,
      detail: `${noMoneyMoved} Vérifier le réseau, puis saisir à nouveau le mot de passe.`,
    },
    notReachedAtStaffId: { message: notReached, detail: `${noMoneyMoved} Vérifier le réseau, puis réessayer.` },
    notReachedUnprotected: {
      message: notReached,
      detail: `${noMoneyMoved} Vérifier le réseau, puis recommencer depuis la vente.`,
    },
    incorrectStaffId: {
      message: 'Identifiant incorrect',
      detail: 'Personne n’a ce numéro dans ce commerce. Le vérifier et le saisir à nouveau.',
    },
    staffIdNotKnownHere: {
      message: notReached,
      detail: 'Ce terminal ne connaît pas cet identifiant et ne peut pas le demander. Vérifier le numéro et le réseau.',
    },
    storageChanged: {
      message: locked,
      detail:
        'Les compteurs de mots de passe incorrects de ce terminal ont été modifiés. Personne ne peut rien autoriser ici avant qu’il ait joint le service.',
    },
    staffDisabled: {
      message: 'Cette personne est désactivée',
      detail: `${noMoneyMoved} Une autre personne peut saisir son identifiant ; celle-ci est réactivée dans le portail.`,
    },
    permissionDenied: {
      message: 'Remboursement et annulation non autorisés',
      detail: `${noMoneyMoved} Une personne autorisée à rembourser et annuler peut saisir son identifiant ; un responsable accorde ce droit.`,
    },
    permissionApprovable: {
      message: 'Remboursement et annulation non autorisés',
      detail: `${noMoneyMoved} Une personne autorisée à rembourser et annuler peut approuver maintenant.`,
    },
    selfApproval: {
      message: 'Une autre personne doit approuver',
      detail: `${noMoneyMoved} Cette personne saisit son propre identifiant.`,
    },
    approvalExpired: {
      message: 'Le délai pour approuver est passé. Recommencer',
      detail: `${noMoneyMoved} La personne qui l’a demandé saisit à nouveau son identifiant.`,
    },
    expired: {
      message: 'Cette autorisation a expiré. Saisir à nouveau le mot de passe',
      detail: noMoneyMoved,
    },
    staffNeeded: {
      message: 'Identifiant et mot de passe requis',
      detail: `La protection par mot de passe vient d’être activée. ${noMoneyMoved}`,
    },
    timeForNewPasswordOver: {
      message: 'Temps dépassé',
      detail: 'Le mot de passe n’a pas changé et aucun argent n’a bougé. Recommencer par l’identifiant.',
    },
    passwordUnchanged: {
      message: 'Choisir un autre mot de passe',
      detail: 'Le provisoire ne peut pas rester. En choisir un que vous seul connaissez.',
    },
    passwordNotReached: {
      message: notReached,
      detail: 'Le nouveau mot de passe n’a pas été enregistré et aucun argent n’a bougé. Réessayer.',
    },
    slowDown: {
      message: 'Un instant, s’il vous plaît',
      detail: `Trop d’essais à la fois. ${noMoneyMoved} Réessayer dans quelques secondes.`,
    },
    revoked: {
      message: notEnrolled,
      detail: `${noMoneyMoved} Un responsable peut le réenregistrer avec un nouveau code.`,
    },
    exceeds: {
      message: 'Le remboursement dépasse la vente',
      detail: 'Choisir au plus ce qui reste de cette vente.',
    },
    silent: {
      message: 'Vérification',
      detail:
        'Pas de réponse. Le terminal continue de demander et n’envoie rien deux fois. Après une minute, cet écran peut être quitté.',
    },
    restarted: {
      message: 'Vérification',
      detail: 'Le terminal a redémarré en cours d’opération. Il cherche le résultat et n’envoie rien deux fois.',
    },
    notReceived: {
      message: 'Non envoyé',
      detail: 'Le service ne l’a jamais reçu : aucun argent n’a bougé. Recommencer depuis la vente.',
    },
    leftSilent: {
      message: 'Pas encore connu',
      detail:
        'Le service n’a pas pu être interrogé. S’il l’a reçu, la vente le montre : la regarder avant de recommencer.',
    },
    leftPending: {
      message: 'Pas encore décidé',
      detail:
        'La banque n’a pas encore répondu. Le service continue de vérifier, et la vente montre le résultat. Ne pas recommencer.',
    },
  },
  withdrawn: {
    expired: requestedBy => ({
      message: 'Demande expirée',
      detail: `${noMoneyMoved} Pour rembourser tout de même, recommencer depuis ${requestedBy}.`,
    }),
    cancelled: requestedBy => ({
      message: `Demande retirée par ${requestedBy}`,
      detail: `${noMoneyMoved} Il n’y a plus rien à faire ici.`,
    }),
  },
  limits: {
    otherPerson: 'Un collègue peut saisir son identifiant, ou un montant plus petit peut être remboursé.',
    colleagueApproves: 'Un collègue avec une limite plus haute peut approuver maintenant.',
    perTransaction: {
      message: 'Montant trop élevé',
      detail: (name, limit, next) =>
        `${name ?? thisStaffMember} peut rembourser jusqu’à ${limit} à la fois. ${noMoneyMoved} ${next}`,
    },
    daily: {
      message: 'Limite du jour atteinte',
      detail: (name, limit, left, next) =>
        `${name ?? thisStaffMember} peut rembourser jusqu’à ${limit} par jour et il lui reste ${left} aujourd’hui. ${noMoneyMoved} ${next}`,
    },
  },
  incorrectPassword: {
    message: 'Mot de passe incorrect',
    triesLeft: count => (count === 1 ? 'Encore 1 essai.' : `Encore ${count} essais.`),
  },
  lockouts: {
    lockedOut: locked,
    lockedOutUntil: time => `Accès bloqué, fin : ${time}`,
    tooManyAttempts: 'Trop d’essais, réessayer plus tard',
    staff: (name, until) =>
      `${name ?? thisStaffMember} : accès bloqué${until ? ` (fin : ${until})` : ''} après trop de mots de passe incorrects. ${noMoneyMoved} Revenir en arrière pour qu’un collègue saisisse son identifiant, ou un responsable débloque l’accès dans le portail, page « Staff ».`,
    terminal: until =>
      `Ce terminal est bloqué pour tous${until ? ` (fin : ${until})` : ''} : trop de mots de passe incorrects y ont été saisis. ${noMoneyMoved} Utiliser un autre terminal, ou demander à un responsable de débloquer celui-ci.`,
  },
  refusals: {
    payment_already_cancelled: {
      message: 'Le paiement a déjà été annulé',
      detail: 'Cette vente a déjà été annulée : le client ne la paie pas. Il n’y a rien à rendre.',
    },
    payment_already_refunded: {
      message: 'Le paiement a déjà été remboursé',
      detail:
        'Une partie de cette vente a déjà été remboursée, elle ne peut donc plus être annulée. Rembourser plutôt le reste.',
    },
    refund_exceeds_payment: {
      message: 'Le remboursement dépasse la vente',
      detail: `Il reste moins de cette vente que demandé. ${noMoneyMoved} Regarder la vente et choisir à nouveau.`,
    },
    payment_already_settled: { message: 'Trop tard pour annuler', detail: `La rembourser plutôt. ${noMoneyMoved}` },
    payment_not_settled: { message: 'Trop tôt pour rembourser', detail: `L’annuler plutôt. ${noMoneyMoved}` },
    payment_settling: {
      message: 'Télécollecte en cours',
      detail: `La banque traite cette vente : elle ne peut être ni annulée ni remboursée maintenant. ${noMoneyMoved}`,
    },
    settlement_rejected: {
      message: 'Rejetée par la banque',
      detail: `La banque a rejeté cette vente. ${noMoneyMoved} ${support}`,
    },
    payment_not_at_gateway: {
      message: 'Inconnu de la banque',
      detail: 'La banque n’a aucune trace de ce paiement, rien ne peut donc être rendu.',
    },
    refund_in_progress: {
      message: 'Un autre remboursement est en cours',
      detail: 'Un autre remboursement de cette vente est en cours de décision. Attendre, puis regarder la vente.',
    },
    other: { message: 'Impossible', detail: noMoneyMoved },
  },
  lookAgain: {
    at: time => `Regarder à nouveau à ${time}.`,
    inAMinute: 'Regarder à nouveau dans une minute.',
    later: 'Regarder à nouveau plus tard.',
  },
  returned: {
    voided: {
      message: 'Annulée',
      detail: 'La carte n’est pas débitée. La banque libère le montant réservé, ce qui peut prendre quelques jours.',
    },
    refunded: {
      message: 'Remboursé',
      detail: amount => `${amount} repartent vers la carte du client, en général sous un à cinq jours ouvrés.`,
    },
    declined: { message: 'Refus de la banque', detail: 'Elle a refusé de rendre l’argent.' },
    failed: { message: 'Échec', detail: 'La banque n’a pas pu être jointe.', next: 'Réessayer.' },
    bankSays: message => `La banque indique : ${message}.`,
    checking: 'Vérification',
    checkingVoid:
      'La banque n’a pas encore confirmé cette annulation. Le service continue de vérifier ; le résultat sera avec la vente, dans Ventes récentes. Cet écran peut être quitté.',
    checkingRefund: amount =>
      `La banque n’a pas encore confirmé ce remboursement de ${amount}. Le service continue de vérifier ; le résultat sera avec la vente, dans Ventes récentes. Cet écran peut être quitté.`,
  },
  receipt: {
    business: 'Commerçant',
    terminal: 'Terminal',
    date: 'Date',
    invoice: 'N° de vente',
    voidOfInvoice: 'Vente annulée',
    refundOfInvoice: 'Vente d’origine',
    amount: 'Montant',
    tip: 'Dont pourboire',
    voided: 'Annulé',
    refunded: 'Remboursé',
    card: 'Carte',
    entry: 'Lecture',
    entryModes: { chip: 'Puce', contactless: 'Sans contact', swipe: 'Piste magnétique' },
    authorisation: 'N° d’autorisation',
    authorisedBy: 'Autorisé par',
    requestedBy: 'Demandé par',
    approvedBy: 'Approuvé par',
    bankReference: 'Référence banque',
    reference: 'Référence',
    paidWith: 'Payé par',
    methods: { lightning: 'Bitcoin, Lightning', onchain: 'Réseau Bitcoin', card: 'Carte' },
    bitcoin: 'Bitcoin',
  },
  dayReport: frDayReport,
  readerDay: frReaderDay,
  ...frSales,
};
