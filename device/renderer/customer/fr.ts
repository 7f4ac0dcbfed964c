import type { CustomerMessages } from './customer-messages.ts';

export const fr: CustomerMessages = {
  idle: {
    ready: 'Prêt pour votre paiement',
    unavailable: { title: 'Paiement par carte indisponible', detail: 'Veuillez vous adresser au personnel.' },
    staff: 'Personnel',
  },
  toPay: 'À payer',
  cancel: 'Annuler le paiement',
  cancelling: 'Annulation…',
  cannotCancel: 'Le paiement ne peut plus être annulé.',
  done: 'Terminé',
  takeCard: 'Veuillez retirer votre carte',
  reference: reference => `Référence ${reference}`,
  receipt: 'Reçu',
  scanReceipt: 'Scannez pour emporter votre reçu',
  print: {
    print: 'Imprimer',
    states: {
      printing: 'Votre reçu est en cours d’impression.',
      printed: 'Veuillez prendre votre reçu.',
      failed: 'Le reçu n’a pas été imprimé. Scannez son code ou demandez au personnel.',
    },
  },
  tip: {
    title: 'Choisissez un pourboire',
    detail: 'Sur le lecteur de carte. Rien n’est encore débité.',
    included: amount => `Dont ${amount} de pourboire`,
  },
  stages: {
    starting: { title: 'Un instant', detail: 'Votre paiement commence.' },
    waiting_for_reader: { title: 'Un instant', detail: 'Le lecteur de carte se prépare.' },
    remove_previous_card: { title: 'Retirez la carte', detail: 'Une carte se trouve encore dans le lecteur.' },
    present_card: { title: 'Présentez votre carte', detail: 'Sans contact, insérée ou glissée dans le lecteur.' },
    insert_card: { title: 'Insérez votre carte', detail: 'Le sans contact n’est pas possible pour ce montant.' },
    card_inserted: { title: 'Lecture de la carte', detail: 'Laissez-la dans le lecteur.' },
    card_tapped: { title: 'Lecture de la carte', detail: 'Un instant.' },
    card_swiped: { title: 'Lecture de la carte', detail: 'Un instant.' },
    choose_application: {
      title: 'Choisissez le paiement',
      detail: 'Votre carte offre un choix, à faire sur le lecteur.',
    },
    enter_pin: { title: 'Saisissez votre code', detail: 'Sur le lecteur, à l’abri des regards.' },
    wrong_pin: { title: 'Code erroné', detail: 'Réessayez sur le lecteur.' },
    authorising: { title: 'Demande à votre banque', detail: 'Veuillez patienter.' },
    finishing: { title: 'Presque terminé', detail: 'Veuillez patienter.' },
    checking: {
      title: 'Veuillez patienter',
      detail: 'Nous vérifions si votre carte a été débitée. Ne payez pas une seconde fois.',
    },
    reversing: { title: 'Veuillez patienter', detail: 'Le paiement n’a pas abouti, il est en cours d’annulation.' },
    remove_card: { title: 'Retirez votre carte', detail: 'Ne l’oubliez pas.' },
  },
  bitcoin: {
    stages: {
      requesting: { title: 'Un instant', detail: 'Votre code est en préparation.' },
      waiting: { title: 'Scannez pour payer', detail: 'Avec tout portefeuille, par Lightning ou le réseau Bitcoin.' },
      seen: { title: 'Paiement trouvé', detail: 'Il attend sa confirmation. Vous n’avez plus rien à faire.' },
      seen_part: {
        title: 'Le montant envoyé est incomplet',
        detail:
          'Restez ici et adressez-vous au personnel. Une fois cette partie confirmée, vous pourrez payer le reste ici. Si le temps est alors écoulé, elle vous sera rendue.',
      },
      checking: { title: 'Veuillez patienter', detail: 'Temps écoulé. Nous vérifions si votre paiement est arrivé.' },
      cancelling: { title: 'Annulation…', detail: 'Un instant.' },
      leaving: { title: 'Un instant', detail: 'Le lecteur de carte sera bientôt prêt.' },
    },
    problems: {
      node_unreachable: {
        title: 'Bitcoin impossible pour le moment',
        detail: 'Nous réessayons. Vous pouvez annuler.',
      },
      rate_unavailable: {
        title: 'Bitcoin impossible pour le moment',
        detail: 'Son cours est inconnu. Vous pouvez annuler.',
      },
      not_reached: { title: 'Pas de connexion', detail: 'Ne payez pas tant que ce message est affiché.' },
    },
    offline: {
      noCodeYet: { title: 'Pas de connexion', detail: 'Votre code est créé dès son retour. Vous pouvez annuler.' },
      withdrawing: 'La connexion est perdue. La suite vient dès son retour ; sinon, adressez-vous au personnel.',
      withdrawingShown: 'La connexion est perdue. Ne payez plus ce code et adressez-vous au personnel.',
    },
    notWithdrawn: {
      paid: 'Un paiement a été trouvé : il ne peut plus être annulé.',
      node_unreachable: 'Ce code peut encore être payé : la carte n’est pas encore possible. Vous pouvez annuler.',
    },
    part: (received, rest) => `${received} reçus. Veuillez payer les ${rest} restants.`,
    partSeen: (sent, total, rest) => `Vous avez envoyé ${sent} sur ${total} : il manque ${rest}.`,
    leftToPay: 'Reste à payer',
    total: total => `Total ${total}`,
    codeValidFor: time => `Code valable pendant ${time}`,
    code: 'Code à payer avec un portefeuille Bitcoin',
    payByCard: 'Payer par carte',
    payInBitcoin: 'Payer en bitcoin',
  },
  outcomes: {
    approved: { title: 'Paiement accepté', detail: 'Merci.' },
    declined: {
      title: 'Carte refusée',
      detail:
        'Rien n’a été débité. Pour une autre carte, recommencez là où vous avez commandé ou adressez-vous au personnel.',
    },
    cancelled: { title: 'Paiement annulé', detail: 'Rien n’a été débité.' },
    no_card: { title: 'Temps écoulé', detail: 'Le paiement n’a pas été terminé à temps. Rien n’a été débité.' },
    not_paid: {
      title: 'Temps écoulé',
      detail: 'Aucun paiement reçu. Si vous avez payé, adressez-vous au personnel.',
    },
    underpaid: {
      title: 'Paiement incomplet',
      detail: 'Le montant reçu est insuffisant. Adressez-vous au personnel : il vous sera rendu.',
    },
    not_charged: {
      title: 'Paiement impossible',
      detail: 'Rien n’a été débité. Recommencez ou adressez-vous au personnel.',
    },
    being_returned: {
      title: 'Paiement non abouti',
      detail: 'Si votre carte a été débitée, l’argent y reviendra automatiquement. Adressez-vous au personnel.',
    },
    ask_staff: {
      title: 'Adressez-vous au personnel',
      detail: 'Votre carte a peut-être été débitée. Ne payez pas une seconde fois avant de lui avoir parlé.',
    },
  },
  counterOutcomes: {
    declined: {
      title: 'Carte refusée',
      detail: 'Rien n’a été débité. Le personnel peut réessayer ou prendre une autre carte.',
    },
    not_charged: {
      title: 'Paiement impossible',
      detail: 'Rien n’a été débité. Le personnel peut réessayer.',
    },
  },
};
