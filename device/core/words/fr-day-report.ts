import type { SameWords } from '@florin/shared/languages.ts';
import type { enDayReport } from './en-day-report.ts';

const counted = (one: string, several: string) => (count: number) => `${count} ${count === 1 ? one : several}`;

/** The words of the totals of a day in French. */
export const frDayReport: SameWords<typeof enDayReport> = {
  title: 'Totaux du jour',
  day: 'Jour',
  of: 'Pour',
  business: 'Tout le commerce',
  asOf: 'Heure',
  offlineSince: 'Hors ligne depuis',
  rails: {
    card: 'Carte',
    wallet: 'Apple Pay et Google Pay',
    lightning: 'Bitcoin, Lightning',
    onchain: 'Réseau Bitcoin',
  },
  inBitcoin: rail => `${rail}, prix en bitcoin`,
  sales: counted('vente', 'ventes'),
  voids: counted('annulation', 'annulations'),
  rejected: counted('vente rejetée par la banque', 'ventes rejetées par la banque'),
  refunds: counted('remboursement', 'remboursements'),
  tips: count => `Dont pourboires (${count})`,
  receivedSats: 'Reçu en bitcoin',
  returnedSats: 'Rendu en bitcoin',
  net: 'Net',
  together: 'Total',
  nothing: 'Aucune vente, annulation ni remboursement',
  open: {
    title: 'Encore en suspens',
    unknown_sale: counted('vente au résultat inconnu', 'ventes au résultat inconnu'),
    unknown_refund: counted('remboursement au résultat inconnu', 'remboursements au résultat inconnu'),
    discrepancy: counted('écart à trancher par un responsable', 'écarts à trancher par un responsable'),
  },
  unsent: {
    title: 'Sur ce terminal, pas encore envoyé',
    recorded: counted('vente encaissée par le lecteur', 'ventes encaissées par le lecteur'),
    completed: counted('vente terminée', 'ventes terminées'),
    reversed: counted('vente à rendre', 'ventes à rendre'),
    entries: counted('vérification de mot de passe', 'vérifications de mots de passe'),
  },
  offline: (asOf, since) => ({
    message: since === null ? `À ${asOf}. Hors ligne.` : `À ${asOf}. Hors ligne depuis ${since}.`,
    detail: 'Ce qui a été encaissé ou rendu depuis, ici ou ailleurs, manque dans ces chiffres.',
  }),
  notReached: asOf => ({
    message: `À ${asOf}.`,
    detail: 'Des chiffres plus récents n’ont pas pu être chargés. Ce terminal continue d’essayer.',
  }),
  neverReceived: {
    message: 'Serveur injoignable',
    detail: 'Ce terminal n’a pas de chiffres pour ce jour. Ils apparaîtront au retour de la connexion.',
  },
};
