import type { ReceiptWords } from './receipt-words.ts';

export const french: ReceiptWords = {
  titles: { sale: 'Reçu', void: 'Reçu d’annulation', refund: 'Reçu de remboursement' },
  facts: {
    paidOn: 'Payé le',
    voidedOn: 'Annulé le',
    refundedOn: 'Remboursé le',
    amount: 'Montant',
    tip: 'Dont pourboire',
    for: 'Pour',
    reference: 'Référence',
    paidWith: 'Payé par',
    returnedTo: 'Remboursé sur',
    read: 'Carte lue par',
    authorisation: 'N° d’autorisation',
    transaction: 'Transaction',
    invoice: 'Facture',
    payment: 'ID du paiement',
    receipt: 'ID du reçu',
    left: 'Reste de l’achat',
  },
  methods: {
    card: 'Carte',
    apple_pay: 'Apple Pay',
    google_pay: 'Google Pay',
    lightning: 'Bitcoin via Lightning',
    onchain: 'Réseau Bitcoin',
  },
  card: 'Carte',
  entryModes: { chip: 'Puce', contactless: 'Sans contact', swipe: 'Piste magnétique' },
  returns: { void: 'Annulé', refund: 'Remboursé', rejected: 'Non versé par la banque' },
  returnsTitle: 'Depuis',
  ofSale: (amount, day) => `Pour l’achat de ${amount} du ${day}`,
  nothingLeft: 'Rien',
  page: {
    print: 'Imprimer ou enregistrer',
    email: 'Envoyer ce reçu par e-mail',
    emailLabel: 'Adresse e-mail',
    emailHint: 'L’adresse n’est utilisée que pour ce reçu.',
    send: 'Envoyer',
    sent: 'Le reçu est en chemin.',
    refused: {
      address_invalid: 'Ce n’est pas une adresse e-mail. Veuillez la vérifier.',
      too_many_addresses: 'Ce reçu a déjà été envoyé à trois adresses, ce qui est la limite.',
      too_many_emails: 'Ce reçu a déjà été envoyé cinq fois aujourd’hui, ce qui est la limite. Réessayez demain.',
    },
    proof: 'Reçu signé',
    proofWhy:
      'Un fichier signé par l’entreprise. Chacun peut vérifier que rien n’y a été modifié, sans s’adresser à l’entreprise.',
    download: 'Télécharger le reçu signé',
    verify: 'Vérifier un reçu signé',
    none: 'Il n’y a pas de reçu à cette adresse',
    noneWhy:
      'L’adresse est peut-être incomplète. Un reçu apparaît un instant après son paiement\u00a0: si vous venez de payer, rechargez cette page.',
  },
  letter: {
    subject: merchant => `Votre reçu de ${merchant}`,
    open: 'Ouvrir le reçu',
    later: 'La page affiche aussi les remboursements ultérieurs.',
    reason: merchant =>
      `Cette adresse a été saisie pour y envoyer un reçu de ${merchant}. Elle est conservée avec ce reçu et n’est utilisée pour rien d’autre.`,
  },
};
