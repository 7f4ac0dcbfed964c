import type { PayerWords } from './payer-words.ts';

export const french: PayerWords = {
  languageSwitch: 'Langue',
  noScript: {
    waitReload: 'Une fois le paiement effectué, rechargez cette page.',
    paidReload: 'J’ai payé\u00a0: recharger cette page',
  },
  nowhere: {
    title: 'Il n’y a pas de page à cette adresse',
    lines: [
      'L’adresse est peut-être incomplète. Ouvrez le lien tel que vous l’avez reçu, ou adressez-vous à l’expéditeur. L’ouverture de cette page n’a donné lieu à aucun débit.',
    ],
  },
  refused: {
    title: 'Cette page ne peut pas être affichée pour le moment',
    tooManyRequests: 'Elle a été demandée trop souvent en peu de temps.',
    fromElsewhere: 'La demande provient d’un autre site.',
    other: 'Une erreur s’est produite de notre côté.',
    next: 'Patientez un instant, puis rechargez-la. Si vous étiez en train de payer, rouvrez la page de paiement\u00a0: elle indique où en est votre paiement. Ne payez pas une seconde fois avant.',
  },
  waiting: 'En attente de votre paiement.',
  showsByItself: 'Cette page l’affichera d’elle-même.',
  goesByItself: 'Cette page s’y rendra d’elle-même dans quelques secondes.',
  connectionLost: 'Pas de connexion. Cette page reprendra dès son retour.',
  codeStillWorks:
    'Vous pouvez tout de même payer avec le code ci-dessous, une seule fois\u00a0: le paiement sera vu ensuite.',

  openInWallet: 'Ouvrir dans le portefeuille',
  copy: 'Copier',
  writeTag: 'Écrire sur un tag NFC',
  payWholeBy: time => `Payez le montant total avant ${time}, en une fois.`,
  payRestBy: time => `Payez le reste avant ${time}, en une fois.`,
  lightningInvoice: 'Facture Lightning',
  lightningAddress: 'Adresse Lightning',
  bitcoinAddress: 'Adresse Bitcoin',
  amountInBitcoin: 'Montant en bitcoins',
  codes: {
    lightning: 'Code QR pour payer via Lightning',
    onchain: 'Code QR pour payer via le réseau Bitcoin',
    wallet: 'Code QR pour payer avec un portefeuille Bitcoin',
    tip: 'Code QR pour donner un pourboire avec un portefeuille Lightning',
  },

  claim: {
    about: ({ sats, worth }) => `${sats} (environ ${worth})`,
    states: {
      open: merchant => `${merchant} doit vous rendre ce montant\u00a0: indiquez ci-dessous où l’envoyer.`,
      requested: merchant =>
        `${merchant} sait où vous souhaitez recevoir ce montant et l’y enverra. Cette page indiquera quand ce sera fait.`,
      disputed: merchant =>
        `${merchant} a reçu différentes destinations pour ce remboursement et doit d’abord savoir laquelle est la bonne. Veuillez contacter ${merchant}.`,
      returned: merchant => `${merchant} a rendu ce montant.`,
    },
    refusals: {
      destination_invalid: 'Rien ne peut y être envoyé\u00a0: vérifiez votre saisie.',
      other_network:
        'Cette destination est sur un autre réseau Bitcoin que votre paiement\u00a0: indiquez-en une du même réseau.',
      destination_of_merchant:
        'C’est l’adresse ou la facture que vous avez payée, ou une autre d’un commerce\u00a0: indiquez celle de votre propre portefeuille.',
      invoice_expired: 'Cette facture Lightning a expiré\u00a0: créez-en une nouvelle.',
      invoice_amount_differs:
        'Le montant de cette facture Lightning n’est pas celui à rendre\u00a0: créez-en une de ce montant, ou sans montant.',
      too_many_destinations: 'Trop de destinations différentes ont déjà été indiquées\u00a0: contactez le commerce.',
    },
    where: 'Où rendre ce montant',
    hint: 'Votre adresse Bitcoin ou votre adresse Lightning, qui ressemble à une adresse e-mail. Une facture Lightning n’est valable que jusqu’à son expiration. Vérifiez votre saisie\u00a0: elle ne peut pas être modifiée.',
    hintAgain: merchant =>
      `Si vous en indiquez une autre, ${merchant} devra se renseigner avant de rendre quoi que ce soit.`,
    ask: 'Demander le remboursement',
    given: destination => `Vous avez indiqué ${destination}.`,
    givenCheck: merchant => `Vérifiez votre saisie\u00a0: si elle est fausse, contactez ${merchant}.`,
    isItWrong: 'Est-ce une erreur, ou la saisie de quelqu’un d’autre\u00a0?',
    toBeReturned: amount => `À vous rendre : ${amount}`,
    wereReturned: amount => `${amount} ont été rendus`,
    whyOnLink: 'Ce montant est arrivé trop tard ou n’était pas le montant demandé, et n’a pas payé ce lien.',
  },

  confirmation: {
    one: 'Confirmation de paiement',
    several: 'Paiements',
    paidTo: 'Payé à',
    returnedSince: 'Rendu depuis',
    invoice: 'N° de vente',
    receipt: 'Reçu',
    receiptFor: invoiceNumber => `Reçu pour ${invoiceNumber}`,
    receiptByEmail: 'Envoyer le reçu par e-mail',
  },

  onTheirWay: {
    title: 'Paiement détecté',
    whole: sats =>
      `${sats} sont en chemin. Ils compteront dès que le réseau Bitcoin les aura confirmés, en général dans l’heure. Ne payez pas de nouveau\u00a0; vous pouvez fermer cette page.`,
    partTitle: 'Le montant en chemin est incomplet',
    partOfCheckout: ({ part, whole }) =>
      `${part} sur ${whole} ont été envoyés. Dès que le réseau Bitcoin les aura confirmés, en général dans l’heure, cette page indiquera comment payer le reste ou, si le délai est alors écoulé, comment les récupérer.`,
    partOfLink: ({ part, whole }) =>
      `${part} sur ${whole} ont été envoyés. Dès que le réseau Bitcoin les aura confirmés, en général dans l’heure, cette page indiquera que faire pour le reste.`,
  },

  checkout: {
    titles: {
      PENDING: 'Payer',
      PROCESSING: 'Paiement en chemin',
      COMPLETE: 'Payé',
      UNDERPAID: 'Payé en partie',
      EXPIRED: 'Expiré',
      CANCELLED: 'Annulé',
    },
    unavailable: {
      title: 'Cette page de paiement n’est pas disponible',
      lines: [
        'L’adresse est incomplète ou n’a jamais existé. Retournez sur le site du commerce et recommencez. L’ouverture de cette page n’a donné lieu à aucun débit.',
      ],
    },
    order: orderId => `Commande ${orderId}`,
    satsAt: ({ sats, price }) => `${sats} au cours de ${price} pour un bitcoin`,
    interrupted: 'Les paiements sont interrompus',
    interruptedWhy: merchant =>
      `${merchant} ne peut pas recevoir de paiements pour le moment. Rien n’a été débité. Cette page réessaie d’elle-même\u00a0: patientez un instant.`,
    timeIsUp: 'Le délai est écoulé',
    beingChecked: 'Ne payez plus. Nous vérifions si un paiement est arrivé à temps\u00a0; cela prend un instant.',
    partArrived: 'Une partie du montant est arrivée',
    sendTheOther: ({ part, whole, rest }) =>
      `${part} sur ${whole} sont arrivés. Veuillez envoyer les ${rest} restants.`,
    received: ({ merchant, sats }) => `${merchant} a reçu ${sats}.`,
    moreThanAsked: amount => `C’est ${amount} de plus que demandé.`,
    notEnough: 'Le paiement est insuffisant',
    arrivedOf: ({ part, whole }) => `${part} sur ${whole} sont arrivés dans le délai. La commande n’est pas payée.`,
    tooLate: 'Votre paiement est arrivé trop tard',
    arrivedAfter: amount => `${amount} sont arrivés après le délai. La commande n’est pas payée.`,
    nothingPaid: merchant => `Rien n’a été payé. Ne payez plus\u00a0; retournez chez ${merchant} pour recommencer.`,
    cancelledArrived: amount => `${amount} sont arrivés malgré tout.`,
    cancelled: 'Ce paiement a été annulé. Ne payez plus.',
    howToPay: 'Comment payer',
    waysToPay: 'Moyens de payer',
    networks: { lightning: 'Lightning', onchain: 'Réseau Bitcoin' },
    backTo: merchant => `Retour vers ${merchant}`,
  },

  pay: {
    unavailable: {
      title: 'Ce lien de paiement n’est pas disponible',
      lines: [
        'Il a peut-être été retiré, ou l’adresse est incomplète. Demandez-en un nouveau à l’expéditeur. L’ouverture de cette page n’a donné lieu à aucun débit.',
      ],
    },
    bankChecked: { title: 'Vérifié', lines: ['La vérification de votre banque se poursuit.'] },
    payableUntil: time => `Payable jusqu’au ${time}.`,
    success: 'Paiement réussi',
    paid: 'Payé',
    paidWhy: merchant => `${merchant} a reçu ce paiement. Il ne reste rien à payer.`,
    continueTo: merchant => `Continuer vers ${merchant}`,
    expired: 'Ce lien de paiement a expiré',
    expiredPaid: 'Il avait été payé intégralement. Il ne reste rien à payer.',
    expiredPart: ({ paid, merchant }) => `Montant payé\u00a0: ${paid}. Pour le reste, veuillez contacter ${merchant}.`,
    expiredUnpaid: merchant => `Il ne peut plus être payé. Demandez-en un nouveau à ${merchant}.`,
    partTaken: 'Une partie seulement du montant a été débitée',
    partTakenWhy: ({ part, whole, merchant }) =>
      `Votre banque a autorisé moins que demandé\u00a0: vous avez payé ${part} sur ${whole}. Le reste ne peut pas être payé en ligne\u00a0: veuillez contacter ${merchant}.`,
    partPaid: 'Une partie a déjà été payée',
    partPaymentUnavailable: rest =>
      `Le paiement partiel en ligne n’est pas disponible\u00a0: le reste (${rest}) ne peut pas être payé sur cette page.`,
    payRest: merchant => `Pour payer le reste, veuillez contacter ${merchant}. Ce qui a été payé sera pris en compte.`,
    paidSoFar: 'Déjà payé',
    leftToPay: 'Reste à payer',
    sending: { title: 'Votre paiement est en cours', lines: ['Patientez et ne payez pas de nouveau.'] },
    checking: {
      title: 'Nous vérifions votre paiement',
      lines: [
        'Ne payez pas de nouveau\u00a0: nous demandons à la banque s’il a abouti. Cette page affichera la réponse d’elle-même.',
      ],
    },
    checkingLater: merchant =>
      `Vous pouvez la fermer et rouvrir le lien plus tard. Si cela dure plus d’une heure, contactez ${merchant}.`,
    contactingBank: {
      title: 'Connexion à votre banque',
      lines: ['Cela prend quelques secondes. Gardez cette page ouverte.'],
    },
    bankAsks: {
      title: 'Votre banque vous demande de confirmer ce paiement',
      lines: ['Continuez sur la page de votre banque. Vous reviendrez ici ensuite. Rien n’a encore été débité.'],
    },
    bankElsewhere: 'Un paiement de ce lien attend une confirmation',
    bankElsewhereWhy: time =>
      `Quelqu’un qui a ce lien est en ce moment sur la page de sa banque. Si c’est vous, dans une autre fenêtre ou sur un autre appareil, terminez là-bas. Sinon, cela s’arrêtera de soi-même avant ${time}, et vous pourrez alors payer ici. Rien n’a encore été débité.`,
    voided: 'Le paiement a été annulé',
    voidedBy: merchant => `${merchant} l’a annulé, et rien n’est débité de la carte.`,
    voidedPayBelow: 'Si vous souhaitez toujours payer, vous pouvez le faire ci-dessous.',
    voidedAskForNew:
      'Ce lien n’accepte pas d’autre paiement\u00a0: si vous souhaitez toujours payer, demandez-en un nouveau.',
    failed: {
      title: 'Le paiement n’a pas été effectué',
      lines: ['La banque n’a pas pu être jointe. Rien n’a été débité. Veuillez réessayer.'],
    },
    declined: {
      bank: {
        title: 'Carte refusée',
        lines: [
          'Votre banque n’a pas autorisé le paiement. Rien n’a été débité. Essayez une autre carte, ou contactez votre banque.',
        ],
      },
      bank_check: {
        title: 'Carte refusée\u00a0: la vérification supplémentaire de la banque a échoué',
        lines: [
          'Votre banque n’a pas confirmé qu’il s’agissait de vous. Rien n’a été débité. Réessayez, ou utilisez une autre carte.',
        ],
      },
      bank_check_incomplete: {
        title: 'La vérification de la banque n’a pas pu aboutir',
        lines: ['Rien n’a été débité. Vous pouvez réessayer.'],
      },
    },
    toBank: 'Continuer vers votre banque',
    bankFrame: 'Vérification par votre banque',
    startAgain: 'Recommencer',
    notPayable: 'Ce lien ne peut pas être payé en ligne pour le moment',
    contact: merchant => `Veuillez contacter ${merchant}.`,
    card: 'carte',
    payBy: methods => `Payer par ${methods}`,
    needsScript: 'Le paiement par carte nécessite JavaScript',
    needsScriptWhy: merchant =>
      `Les données de votre carte se saisissent dans des champs du prestataire de paiement, qui n’ont pas été chargés. Activez JavaScript et rechargez cette page, ou contactez ${merchant}.`,
    loading: 'Chargement des champs de la carte…',
    payAmount: amount => `Payer ${amount}`,
    cardPrivacy: merchant =>
      `Les données de votre carte vont directement au prestataire de paiement. ${merchant} ne les voit jamais.`,
    or: 'ou',
    inBitcoin: 'Payer en bitcoin',
    anotherWay: 'Payer autrement',
    priceOfOne: price => `Au cours de ${price} pour un bitcoin`,
    bitcoinUnavailable: {
      title: 'Le paiement en bitcoins n’est pas disponible pour le moment',
      lines: ['Rien n’a été débité. Réessayez dans une minute, ou payez autrement.'],
    },
    bitcoinAmount: {
      title: 'Ce montant ne peut pas être payé en bitcoins',
      lines: ['Rien n’a été débité. Payez autrement, ou adressez-vous au commerce.'],
    },
    inProgress: {
      title: 'Un paiement est en chemin',
      lines: ['Attendez qu’il soit arrivé, et ne payez pas de nouveau.'],
    },
    partArrived: 'Une partie seulement du montant est arrivée',
    sendMore: ({ arrived, rest, merchant }) =>
      `${arrived} sont arrivés. Envoyez encore ${rest} à l’adresse Bitcoin ci-dessous, ou contactez ${merchant}.`,
    arrivedPaysNothing: time =>
      `Ce qui est arrivé ne paie rien à lui seul\u00a0: si le reste n’arrive pas avant ${time}, ce montant devra vous être rendu.`,
  },

  tip: {
    title: name => `Pourboire pour ${name}`,
    how: ({ least, most }) =>
      `Scannez le code avec un portefeuille Lightning et choisissez le montant, de ${least} à ${most}. Votre portefeuille vous indiquera quand il est arrivé.`,
    unavailable: {
      title: 'Ce lien de pourboire n’est pas disponible',
      lines: [
        'Il n’accepte plus de pourboires, ou l’adresse est incomplète. L’ouverture de cette page n’a donné lieu à aucun débit.',
      ],
    },
  },

  script: {
    copied: 'Copié',
    payWholeWithin: 'Payez le montant total, en une fois. Il reste {time}.',
    payRestWithin: 'Payez le reste, en une fois. Il reste {time}.',
    timeIsOver: 'Le délai est écoulé. Ne payez plus.',
    tagHold: 'Approchez un tag du dos de cet appareil.',
    tagWritten: 'Écrit. Approchez le tag du téléphone qui contient le portefeuille.',
    tagFailed: 'Rien n’a été écrit. Activez le NFC et autorisez-le pour cette page, ou utilisez le code ci-dessus.',
    cardFields: 'Données de la carte',
    confirmInWallet: 'Confirmez dans le portefeuille…',
    paying: 'Paiement en cours…',
    checking: 'Vérification…',
    notMade: 'Le paiement n’a pas été effectué. Veuillez réessayer.',
    tooManyRequests: 'Il y a eu trop de demandes. Rien n’a été débité. Patientez un instant et réessayez.',
    findingOut:
      'La connexion a été perdue. Nous vérifions si votre paiement est arrivé. Ne payez pas encore de nouveau, et gardez cette page ouverte.',
    providerUnreachable: 'Le prestataire de paiement n’a pas pu être joint. Rien n’a été débité. Veuillez réessayer.',
    notArrived: 'Votre paiement n’est pas arrivé et rien n’a été débité. Veuillez réessayer.',
  },
};
