import type { StaffText } from './en.ts';

export const stillWaitingForBank = 'Se sigue esperando al banco…';

/** The words while a void or refund is sent or its outcome looked up, in Spanish. */
export const esReturnProgress: StaffText['returnProgress'] = {
  voiding: 'Anulando la venta',
  refunding: 'Devolviendo a la tarjeta',
  sendingDetail: 'Espere, por favor.',
  checking: {
    CANCEL: 'Espere: no anule otra vez',
    REFUND_SALE: 'Espere: no devuelva otra vez',
  },
  checkingDetail: 'La respuesta se perdió por el camino y se está consultando. No se envía nada de nuevo.',
  unreachable: {
    CANCEL: 'No hay conexión y aún no se sabe si la venta se anuló. En cuanto vuelva, todo sigue por sí solo.',
    REFUND_SALE: 'No hay conexión y aún no se sabe si el dinero se devolvió. En cuanto vuelva, todo sigue por sí solo.',
  },
  late: [
    { afterSeconds: 5, words: stillWaitingForBank },
    { afterSeconds: 20, words: 'El banco tarda más de lo normal.' },
  ],
  noCancel: 'Ya no se puede detener.',
  leave: 'Salir de esta pantalla',
};
