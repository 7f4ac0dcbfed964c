import type { StaffText } from './en.ts';

/** The words of the status page in French. */
export const frStatus: StaffText['statusPage'] = {
  open: 'État de ce terminal',
  title: 'Ce terminal',
  supportCode: 'Code d’assistance',
  supportCodeHint: 'À lire à l’assistance : il retrouve ce que ce terminal a fait depuis son démarrage.',
  testReader: 'Tester le lecteur',
  levels: { fine: 'en ordre', look: 'à vérifier', wrong: 'en panne' },
  network: 'Réseau',
  networkConnected: 'Connecté',
  networkMissing: 'Non connecté',
  networkAdvice: 'Vérifier le câble réseau ou le Wi-Fi de ce terminal : aucune carte ne peut être débitée.',
  service: 'Service',
  serviceSince: (state, since) => `${state} depuis ${since}`,
  serviceAdvice:
    'Pas de réponse. Si Internet fonctionne par ailleurs, appeler l’assistance : aucune carte ne peut être débitée.',
  reader: 'Lecteur de carte',
  firmware: (firmware, serial) => `Micrologiciel ${firmware}${serial === null ? '' : `, n° ${serial}`}`,
  readerAdvice: {
    searching: 'Brancher et allumer le lecteur.',
    connecting: 'Un instant.',
    lost: 'Vérifier son câble et qu’il est allumé.',
    incompatible: 'Ce lecteur ne convient pas à ce terminal. Appeler l’assistance.',
  },
  lowBattery: 'Charger le lecteur.',
  tested: test => (test.state === 'answered' ? `Réponse en ${test.tookMs} ms` : 'Aucune réponse'),
  printer: 'Imprimante',
  printerStates: { none: 'Aucune', checking: 'Vérification…', ready: 'Prête' },
  outbox: 'À envoyer',
  nothingWaits: 'Rien en attente',
  waiting: count => `${count} en attente`,
  outboxAdvice: oldest =>
    `Envoi dès que le service est joint.${oldest === null ? '' : ` Le plus ancien date du ${oldest}.`}`,
  clock: 'Horloge',
  clockUnknown: 'Pas encore comparée',
  clockUnknownAdvice: 'Elle est comparée dès que le service est joint.',
  clockDiffers: aheadMs => {
    const seconds = Math.abs(Math.round(aheadMs / 1000));
    if (seconds === 0) return 'Comme le service';
    const by = seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
    return aheadMs > 0 ? `${by} d’avance` : `${by} de retard`;
  },
  clockAdvice: 'Régler l’heure de cet appareil.',
  alerts: 'Alertes',
  noAlerts: 'Aucune',
  alertsAdvice: 'Appeler l’assistance avec le code.',
  versions: 'Versions',
  unknownVersion: 'inconnue',
  versionsOf: (terminal, service) => `Terminal ${terminal}, service ${service}`,
};
