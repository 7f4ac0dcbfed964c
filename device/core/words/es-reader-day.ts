import type { SameWords } from '@florin/shared/languages.ts';
import type { enReaderDay } from './en-reader-day.ts';

const again = 'Después, inténtelo de nuevo.';

/** The words of the end of a reader's day in Spanish. */
export const esReaderDay: SameWords<typeof enReaderDay> = {
  byReader: 'Según el lector',
  byRecords: 'Según los registros',
  agrees: {
    message: 'Los totales coinciden',
    detail: 'El lector cerró su día. Sus totales son los de sus ventas, anulaciones y devoluciones registradas.',
  },
  differs: amount => ({
    message: `Los totales difieren en ${amount}`,
    detail: 'El lector cerró su día. Guarde su recibo: un encargado debe compararlo con las ventas de ese día.',
  }),
  first: {
    message: 'El lector cerró su día',
    detail: 'Es su primer cierre aquí, así que no hay con qué comparar sus totales. El próximo se comparará.',
  },
  closed_before: {
    message: 'El lector ya había cerrado su día',
    detail:
      'El lector cerró su día y no se recibieron sus totales, así que no se pueden comparar: mire su recibo. Lo que cobró desde entonces coincide.',
  },
  not_received: {
    message: 'El lector no dijo si cerró su día',
    detail: 'Espere a que esté listo y cierre su día de nuevo: sus totales lo mostrarán. No se pierde ninguna venta.',
  },
  waiting: {
    message: 'El lector cerró su día',
    detail: 'Sus totales están guardados aquí. Se enviarán y compararán en cuanto se alcance el servidor.',
  },
  refused: {
    busy: {
      message: 'El lector está ocupado',
      detail: `Su día no se cerró. Espere a que esté listo. ${again}`,
    },
    pending: {
      message: 'El lector aún tiene un resultado',
      detail: `Su día no se cerró. Espere un momento a que se lea. ${again}`,
    },
    not_connected: {
      message: 'El lector no está conectado',
      detail: `Su día no se cerró. Compruebe su cable y si está encendido. ${again}`,
    },
    other: {
      message: 'El lector no cerró su día',
      detail: 'Lo rechazó. Mire su pantalla; si lo rechaza otra vez, llame a soporte.',
    },
  },
};
