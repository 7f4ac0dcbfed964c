import type { SameWords } from '@florin/shared/languages.ts';
import type { enReaderDay } from './en-reader-day.ts';

const again = 'Réessayer ensuite.';

/** The words of the end of a reader's day in French. */
export const frReaderDay: SameWords<typeof enReaderDay> = {
  byReader: 'Selon le lecteur',
  byRecords: 'Selon les enregistrements',
  agrees: {
    message: 'Les totaux concordent',
    detail:
      'Le lecteur a clôturé sa journée. Ses totaux sont ceux de ses ventes, annulations et remboursements enregistrés.',
  },
  differs: amount => ({
    message: `Les totaux diffèrent de ${amount}`,
    detail:
      'Le lecteur a clôturé sa journée. Conserver son ticket : un responsable doit le comparer aux ventes de cette journée.',
  }),
  first: {
    message: 'Le lecteur a clôturé sa journée',
    detail: 'C’est sa première clôture ici, il n’y a donc rien à quoi comparer ses totaux. La prochaine sera comparée.',
  },
  closed_before: {
    message: 'Le lecteur avait déjà clôturé sa journée',
    detail:
      'Le lecteur a clôturé sa journée et ses totaux n’ont pas été reçus, ils ne peuvent donc pas être comparés : consulter son ticket. Ce qu’il a encaissé depuis concorde.',
  },
  not_received: {
    message: 'Le lecteur n’a pas dit s’il a clôturé sa journée',
    detail:
      'Attendre qu’il soit prêt, puis clôturer de nouveau sa journée : ses totaux le montreront. Aucune vente n’est perdue.',
  },
  waiting: {
    message: 'Le lecteur a clôturé sa journée',
    detail: 'Ses totaux sont enregistrés ici. Ils seront envoyés et comparés dès que le service sera joignable.',
  },
  refused: {
    busy: {
      message: 'Le lecteur est occupé',
      detail: `Sa journée n’a pas été clôturée. Attendre qu’il soit prêt. ${again}`,
    },
    pending: {
      message: 'Le lecteur détient encore un résultat',
      detail: `Sa journée n’a pas été clôturée. Attendre un instant qu’il soit lu. ${again}`,
    },
    not_connected: {
      message: 'Le lecteur n’est pas connecté',
      detail: `Sa journée n’a pas été clôturée. Vérifier son câble et s’il est allumé. ${again}`,
    },
    other: {
      message: 'Le lecteur n’a pas clôturé sa journée',
      detail: 'Il a refusé. Regarder son écran ; s’il refuse encore, appeler l’assistance.',
    },
  },
};
