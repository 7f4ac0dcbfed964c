import type { SameWords } from '@florin/shared/languages.ts';
import type { enDayReport } from './en-day-report.ts';

const counted = (one: string, several: string) => (count: number) => `${count} ${count === 1 ? one : several}`;

/** The words of the totals of a day in Spanish. */
export const esDayReport: SameWords<typeof enDayReport> = {
  title: 'Totales del día',
  day: 'Día',
  of: 'Para',
  business: 'Todo el negocio',
  asOf: 'Hora',
  offlineSince: 'Sin conexión desde',
  rails: {
    card: 'Tarjeta',
    wallet: 'Apple Pay y Google Pay',
    lightning: 'Bitcoin, Lightning',
    onchain: 'Red Bitcoin',
  },
  inBitcoin: rail => `${rail}, precio en bitcoin`,
  sales: counted('venta', 'ventas'),
  voids: counted('anulación', 'anulaciones'),
  rejected: counted('venta rechazada por el banco', 'ventas rechazadas por el banco'),
  refunds: counted('devolución', 'devoluciones'),
  tips: count => `Propinas incluidas (${count})`,
  receivedSats: 'Recibido en bitcoin',
  returnedSats: 'Devuelto en bitcoin',
  net: 'Neto',
  together: 'En total',
  nothing: 'Sin ventas, anulaciones ni devoluciones',
  open: {
    title: 'Pendiente',
    unknown_sale: counted('venta con resultado desconocido', 'ventas con resultado desconocido'),
    unknown_refund: counted('devolución con resultado desconocido', 'devoluciones con resultado desconocido'),
    discrepancy: counted('diferencia que decide un encargado', 'diferencias que decide un encargado'),
  },
  unsent: {
    title: 'En este terminal, sin enviar',
    recorded: counted('venta cobrada por el lector', 'ventas cobradas por el lector'),
    completed: counted('venta terminada', 'ventas terminadas'),
    reversed: counted('venta por devolver', 'ventas por devolver'),
    entries: counted('comprobación de contraseña', 'comprobaciones de contraseñas'),
  },
  offline: (asOf, since) => ({
    message:
      since === null ? `Datos de ${asOf}. Ahora sin conexión.` : `Datos de ${asOf}. Sin conexión desde ${since}.`,
    detail: 'Lo que se cobró o devolvió después, aquí o en otro sitio, falta en estas cifras.',
  }),
  notReached: asOf => ({
    message: `Datos de ${asOf}.`,
    detail: 'No se pudieron cargar cifras más recientes. Este terminal lo sigue intentando.',
  }),
  neverReceived: {
    message: '¡No hay conexión con el servidor!',
    detail: 'Este terminal no tiene cifras de este día. Aparecen cuando vuelva la conexión.',
  },
};
