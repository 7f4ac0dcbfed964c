import type { CoreWords } from './en.ts';
import type { enSales } from './en-sales.ts';

const nothingCharged = 'No se ha cobrado nada.';
const notAskedNotCharged = 'No se consultó al banco y no se ha cobrado nada.';
const cancelledUnanswered = 'La venta se canceló antes de que respondiera el banco.';
const untilThen = 'Hasta entonces puede haber un cargo en la tarjeta: espere antes de volver a cobrar.';
const chargedTwice = 'Si cobra otra vez, el cliente paga dos veces hasta que llegue la devolución.';
const notAgain = 'No cobre otra vez.';
const part = 'la parte aprobada por el banco';
const thePart = 'La parte aprobada por el banco';

/** The sentences of sales in Spanish. */
export const esSales: Pick<CoreWords, keyof typeof enSales> = {
  results: {
    approved: { message: 'Aprobada', detail: null },
    approvedDespiteCancel: {
      message: 'Aprobada',
      detail:
        'Se cobró en la tarjeta antes de poder cancelar la venta. Para devolver el dinero, anule o devuelva la venta en Ventas recientes.',
    },
    approvedWithoutReader: {
      message: 'Aprobada',
      detail: amount =>
        `Se cobró en la tarjeta: entregue la mercancía. El lector no lo confirmó: no vuelva a cobrar ${amount}. Si el cliente no está de acuerdo, anule esta venta.`,
    },
    declined: { message: 'Denegada', detail: `El banco denegó la tarjeta. ${nothingCharged}` },
    bankFailed: { message: 'El pago ha fallado', detail: `El banco no pudo tramitar el pago. ${nothingCharged}` },
    cardRefused: { message: 'Denegada', detail: `La tarjeta no fue aceptada. ${nothingCharged}` },
    cardRemoved: { message: 'Cancelada', detail: `La tarjeta se retiró demasiado pronto. ${nothingCharged}` },
    cancelledByCustomer: {
      message: 'Cancelada',
      detail: `El cliente canceló o retiró la tarjeta. ${nothingCharged}`,
    },
    cancelledByStaff: { message: 'Cancelada', detail: `Usted canceló la venta. ${nothingCharged}` },
    cancelledUnanswered: { message: 'No pagada', detail: `${cancelledUnanswered} ${nothingCharged}` },
    noCard: { message: 'Tiempo agotado', detail: `No hubo tarjeta, o PIN, a tiempo. ${nothingCharged}` },
    noReader: { message: 'Sin lector de tarjetas', detail: `El lector no respondió. ${nothingCharged}` },
    readerOpened: { message: 'Lector abierto: no lo use', detail: `${nothingCharged} Llame a soporte.` },
    readerEmpty: { message: 'El lector no tiene batería', detail: nothingCharged },
    readerDisconnected: { message: 'Lector desconectado', detail: nothingCharged },
    readerBusy: { message: 'El lector está ocupado', detail: nothingCharged },
    readerNotAvailable: { message: 'El lector no está disponible', detail: nothingCharged },
    notReached: { message: '¡No hay conexión con el servidor!', detail: notAskedNotCharged },
    refused: { message: 'Pago rechazado', detail: notAskedNotCharged },
    restarted: { message: 'Interrumpida', detail: `El terminal se reinició. ${nothingCharged}` },
    voided: { message: 'Sin cargo', detail: amount => `Se anuló el cobro de ${amount}. El cliente no paga.` },
    readerForgot: {
      message: 'No cobre otra vez',
      detail: code =>
        `El lector se reinició y ya no conoce este pago. Puede haber un cargo en la tarjeta. Llame a soporte y dé el código ${code}.`,
    },
    disagree: {
      message: 'No entregue aún la mercancía',
      detail: code =>
        `El lector dice aprobada, pero el servicio no conoce esta venta. ${notAgain} Llame a soporte y dé el código ${code}.`,
    },
    timedOut: { message: 'Tiempo agotado', detail: `Se acabó el tiempo de esta venta. ${nothingCharged}` },
    cancelledBySoftware: {
      message: 'Cancelada',
      detail: requestedBy => `${requestedBy} canceló la venta. ${nothingCharged}`,
    },
  },
  again: {
    here: {
      now: 'Inténtelo de nuevo.',
      other_card: 'Pida otra tarjeta e inténtelo de nuevo.',
      cable: 'Compruebe el cable e inténtelo de nuevo.',
      cable_and_power: 'Compruebe el cable y la corriente e inténtelo de nuevo.',
      network: 'Compruebe la red e inténtelo de nuevo.',
      battery: 'Cargue el lector e inténtelo de nuevo.',
      moment: 'Espere un momento e inténtelo de nuevo.',
    },
    from: {
      now: software => `Inicie la venta de nuevo desde ${software}.`,
      other_card: software => `Pida otra tarjeta e inicie la venta de nuevo desde ${software}.`,
      cable: software => `Compruebe el cable e inicie la venta de nuevo desde ${software}.`,
      cable_and_power: software => `Compruebe el cable y la corriente e inicie la venta de nuevo desde ${software}.`,
      network: software => `Compruebe la red e inicie la venta de nuevo desde ${software}.`,
      battery: software => `Cargue el lector e inicie la venta de nuevo desde ${software}.`,
      moment: software => `Espere un momento e inicie la venta de nuevo desde ${software}.`,
    },
  },
  reversed: {
    partly: {
      message: 'Denegada',
      detail: amount => `El banco no quiso pagar la totalidad de ${amount} con esta tarjeta.`,
    },
    unanswered: { message: 'No pagada', detail: cancelledUnanswered },
    declined: { message: 'Denegada', detail: 'La tarjeta se negó después de que el banco aprobara.' },
    cancelled: { message: 'Cancelada', detail: 'El pago se canceló después de que el banco aprobara.' },
    timed_out: { message: 'Tiempo agotado', detail: 'El lector desistió después de que el banco aprobara.' },
    failed: { message: 'No completada', detail: 'El pago no se completó.' },
  },
  reversals: {
    not_needed: { message: null, detail: () => nothingCharged },
    voided: {
      message: null,
      detail: what =>
        `${what === null ? `${thePart} se devolvió` : `El importe de ${what} se devolvió`} a la tarjeta. El cliente no paga.`,
    },
    refunded: {
      message: 'Cobrada y devuelta',
      detail: what =>
        `${what === null ? `${thePart} se cobró y se devolvió entera` : `El importe de ${what} se cobró y se devolvió por completo`}; la devolución suele llegar a la tarjeta en un plazo de uno a cinco días laborables.`,
    },
    not_acknowledged: {
      message: 'No pagada',
      detail: what =>
        `Quédese la mercancía. Si el banco cobró ${what ?? part}, el dinero vuelve a la tarjeta cuando el servicio lo confirme. El terminal sigue intentándolo. ${untilThen}`,
    },
    awaiting_outcome: {
      message: 'No pagada',
      detail: what =>
        `Quédese la mercancía. Aún no se sabe si el banco cobró ${what ?? part}: si lo hizo, el dinero vuelve solo a la tarjeta. El cliente puede pagar ahora con otra tarjeta o en efectivo. Su banco puede mostrar el primer pago como pendiente unos días.`,
    },
    void_pending: {
      message: 'Devolviendo el dinero',
      detail: what =>
        `Aún no es seguro que ${what === null ? `${part} vuelva` : `${what} vuelvan`} a la tarjeta. El servicio sigue intentándolo. ${untilThen}`,
    },
    awaiting_settlement: {
      message: 'Cobrada, se devolverá',
      detail: what =>
        `${what === null ? `${thePart} se cobró` : `El importe de ${what} se cobró`} y es tarde para anular. El servicio devuelve todo en cuanto se liquide, normalmente en un día. ${chargedTwice}`,
    },
    refund_pending: {
      message: 'Cobrada, se devolverá',
      detail: what =>
        `${what === null ? `${thePart} se cobró` : `El importe de ${what} se cobró`} y se pidió la devolución total; el banco aún no ha respondido. El servicio sigue preguntando. ${chargedTwice}`,
    },
    declined: {
      message: 'Se cobró en la tarjeta',
      detail: what =>
        `El banco se negó a devolver ${what ?? part}. ${notAgain} Entregue la mercancía, o pida a un encargado que devuelva el dinero.`,
    },
    refused: {
      message: 'Se cobró en la tarjeta',
      detail: what =>
        `Para el servicio esta venta está completa, así que no se ${what === null ? `devolvió ${part}` : `devolvió el importe de ${what}`}. ${notAgain} Para devolver el dinero, anule o devuelva la venta en Ventas recientes.`,
    },
  },
  uncharged: {
    byCard: 'No se cobró en la tarjeta',
    inBitcoin: 'No se pagó nada',
    why: {
      staff: 'La venta se canceló antes de consultar al banco.',
      customer: 'El cliente canceló o retiró la tarjeta.',
      no_card: 'No hubo tarjeta, o PIN, a tiempo.',
      card_refused: 'La tarjeta no fue aceptada.',
      reader_not_found: 'El lector no respondió.',
      reader_not_available: 'El lector no estaba disponible.',
      service_not_reached: 'No había conexión con el servidor, así que no se consultó al banco.',
      service_refused: 'El pago se rechazó antes de consultar al banco.',
      interrupted: 'La venta se interrumpió antes de consultar al banco.',
      bitcoin_cancelled: 'La venta se canceló antes de mostrar un código.',
      bitcoin_withdrawn: 'La venta se terminó en otro sitio antes de mostrar un código.',
      bitcoin_refused: 'No se podía pagar con bitcoin.',
    },
    next: 'Vuelva a la lista para ver si se pagó más tarde. Si no, cobre otra vez.',
  },
  notCompleted: 'No completada',
  asksSignature: {
    onPaper: 'El cliente firma el recibo que sale de la impresora.',
    elsewhere: 'El cliente debe firmar.',
    compare: 'Compare la firma con la de la tarjeta. Si no coincide, anule la venta.',
  },
  notCancellable: {
    cancelling: 'Cancelando: se avisa al lector.',
    authorising: 'El pago se está autorizando, ya no se puede cancelar la venta.',
    reversing: 'Se está anulando la autorización.',
    endingUnanswered: 'El banco no ha respondido todavía, el lector termina sin él.',
    connectionLost: 'Se perdió la conexión, ya no se puede cancelar la venta.',
    answered: 'El banco ha respondido, ya no se puede cancelar la venta.',
    approved: `El banco aprobó. El terminal espera al lector: compruebe su cable si no responde. ${notAgain}`,
    unanswered: 'El banco no ha respondido todavía. Un momento.',
    maybeCharged: `Puede haber un cargo en la tarjeta. Puede tardar unos diez minutos, o más si no se llega al banco. El cliente puede esperar o dejar sus datos. ${notAgain}`,
    maybeChargedByReader: `Puede haber un cargo en la tarjeta. El terminal pregunta hasta saberlo. El cliente puede esperar o dejar sus datos. ${notAgain}`,
    checking: 'El terminal está averiguando el resultado de esta venta.',
  },
  bitcoinResults: {
    paid: { message: 'Pagada', detail: 'El bitcoin ha llegado.' },
    paidTooMuch: {
      message: 'Pagada',
      detail: excess =>
        `El bitcoin ha llegado, ${excess} más de lo pedido. Lo que sobra hay que devolverlo: avise a un encargado.`,
    },
    expired: {
      message: 'Tiempo agotado',
      detail:
        'No llegó ningún pago a tiempo. Si llega más tarde, se guarda para el cliente: avise a un encargado si pregunta.',
    },
    underpaid: {
      message: 'Pago incompleto',
      detail: (received, asked) =>
        `Solo llegaron a tiempo ${received} de ${asked}. No entregue la mercancía: hay que devolverlos, avise a un encargado.`,
    },
    cancelled: { message: 'Cancelada', detail: 'La venta se canceló. No se pagó nada.' },
    withdrawn: { message: 'Cancelada', detail: 'La venta se terminó en otro sitio. No se pagó nada.' },
    refused: {
      message: 'Bitcoin no es posible',
      detail: why => `${why ?? 'El servicio lo rechazó'}. No se pagó nada.`,
    },
  },
};
