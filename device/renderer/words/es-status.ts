import type { StaffText } from './en.ts';

/** The words of the status page in Spanish. */
export const esStatus: StaffText['statusPage'] = {
  open: 'Estado de este terminal',
  title: 'Este terminal',
  supportCode: 'Código de soporte',
  supportCodeHint: 'Léalo a soporte: encuentra lo que hizo este terminal desde que se inició.',
  testReader: 'Probar el lector',
  levels: { fine: 'bien', look: 'revisar', wrong: 'mal' },
  network: 'Red',
  networkConnected: 'Conectado',
  networkMissing: 'Sin conexión',
  networkAdvice: 'Compruebe el cable de red o la wifi de este terminal: no se puede cobrar con tarjeta.',
  service: 'Servicio',
  serviceSince: (state, since) => `${state} desde ${since}`,
  serviceAdvice: 'No responde. Si Internet funciona por lo demás, llame al soporte: no se puede cobrar con tarjeta.',
  reader: 'Lector de tarjetas',
  firmware: (firmware, serial) => `Firmware ${firmware}${serial === null ? '' : `, n.º ${serial}`}`,
  readerAdvice: {
    searching: 'Conecte el lector y enciéndalo.',
    connecting: 'Un momento.',
    lost: 'Compruebe su cable y que está encendido.',
    incompatible: 'Este lector no sirve para este terminal. Llame a soporte.',
  },
  lowBattery: 'Cargue el lector.',
  tested: test => (test.state === 'answered' ? `Respondió en ${test.tookMs} ms` : 'No respondió'),
  printer: 'Impresora',
  printerStates: { none: 'Ninguna', checking: 'Consultando…', ready: 'Lista' },
  outbox: 'Por enviar',
  nothingWaits: 'Nada en espera',
  waiting: count => `${count} en espera`,
  outboxAdvice: oldest =>
    `Se envía cuando haya conexión con el servicio.${oldest === null ? '' : ` El más antiguo es del ${oldest}.`}`,
  clock: 'Reloj',
  clockUnknown: 'Aún sin comparar',
  clockUnknownAdvice: 'Se compara cuando haya conexión con el servicio.',
  clockDiffers: aheadMs => {
    const seconds = Math.abs(Math.round(aheadMs / 1000));
    if (seconds === 0) return 'Igual que el servicio';
    const by = seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
    return aheadMs > 0 ? `${by} de adelanto` : `${by} de retraso`;
  },
  clockAdvice: 'Ponga en hora este equipo.',
  alerts: 'Avisos',
  noAlerts: 'Ninguno',
  alertsAdvice: 'Llame a soporte con el código.',
  versions: 'Versiones',
  unknownVersion: 'desconocida',
  versionsOf: (terminal, service) => `Terminal ${terminal}, servicio ${service}`,
};
