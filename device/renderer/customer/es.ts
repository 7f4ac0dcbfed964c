import type { CustomerMessages } from './customer-messages.ts';

export const es: CustomerMessages = {
  idle: {
    ready: 'Listo para su pago',
    unavailable: { title: 'No se puede pagar con tarjeta', detail: 'Por favor, avise al personal.' },
    staff: 'Personal',
  },
  toPay: 'A pagar',
  cancel: 'Cancelar el pago',
  cancelling: 'Cancelando…',
  cannotCancel: 'El pago ya no se puede cancelar.',
  done: 'Listo',
  takeCard: 'Retire su tarjeta, por favor',
  reference: reference => `Referencia ${reference}`,
  receipt: 'Recibo',
  scanReceipt: 'Escanee para llevarse su recibo',
  print: {
    print: 'Imprimir',
    states: {
      printing: 'Se está imprimiendo su recibo.',
      printed: 'Recoja su recibo, por favor.',
      failed: 'El recibo no se imprimió. Escanee su código o pregunte al personal.',
    },
  },
  tip: {
    title: 'Elija una propina',
    detail: 'En el lector de tarjetas. Aún no se ha cobrado nada.',
    included: amount => `Incluye ${amount} de propina`,
  },
  stages: {
    starting: { title: 'Un momento', detail: 'Su pago va a empezar.' },
    waiting_for_reader: { title: 'Un momento', detail: 'El lector de tarjetas se está preparando.' },
    remove_previous_card: { title: 'Retire la tarjeta, por favor', detail: 'Aún hay una tarjeta en el lector.' },
    present_card: { title: 'Presente su tarjeta', detail: 'Acérquela, insértela o deslícela en el lector.' },
    insert_card: { title: 'Inserte su tarjeta', detail: 'Para este importe no vale el pago sin contacto.' },
    card_inserted: { title: 'Leyendo su tarjeta', detail: 'Déjela en el lector, por favor.' },
    card_tapped: { title: 'Leyendo su tarjeta', detail: 'Un momento.' },
    card_swiped: { title: 'Leyendo su tarjeta', detail: 'Un momento.' },
    choose_application: {
      title: 'Elija cómo pagar',
      detail: 'Su tarjeta ofrece varias opciones. Elija una en el lector.',
    },
    enter_pin: { title: 'Introduzca su PIN', detail: 'Márquelo en el lector y tápelo con la mano.' },
    wrong_pin: { title: 'PIN incorrecto', detail: 'Inténtelo de nuevo en el lector, por favor.' },
    authorising: { title: 'Consultando a su banco', detail: 'Espere, por favor.' },
    finishing: { title: 'Ya casi está', detail: 'Espere, por favor.' },
    checking: {
      title: 'Espere, por favor',
      detail: 'Estamos averiguando si se ha cobrado en su tarjeta. No pague otra vez, por favor.',
    },
    reversing: { title: 'Espere, por favor', detail: 'El pago no se completó y se está anulando.' },
    remove_card: { title: 'Retire su tarjeta', detail: 'No la olvide, por favor.' },
  },
  bitcoin: {
    stages: {
      requesting: { title: 'Un momento', detail: 'Se está creando su código.' },
      waiting: { title: 'Escanee para pagar', detail: 'Con cualquier monedero, por Lightning o la red Bitcoin.' },
      seen: { title: 'Pago encontrado', detail: 'Espera su confirmación. No tiene que hacer nada más.' },
      seen_part: {
        title: 'Falta una parte del importe',
        detail:
          'Quédese aquí y avise al personal, por favor. Cuando la parte esté confirmada, podrá pagar el resto aquí. Si para entonces se acaba el tiempo, se le devuelve.',
      },
      checking: {
        title: 'Espere, por favor',
        detail: 'Se acabó el tiempo. Estamos averiguando si llegó su pago.',
      },
      cancelling: { title: 'Cancelando…', detail: 'Un momento.' },
      leaving: { title: 'Un momento', detail: 'Enseguida está listo el lector de tarjetas.' },
    },
    problems: {
      node_unreachable: {
        title: 'Ahora no se puede pagar con bitcoin',
        detail: 'Seguimos intentándolo. Puede cancelar.',
      },
      rate_unavailable: {
        title: 'Ahora no se puede pagar con bitcoin',
        detail: 'No se conoce su precio. Puede cancelar.',
      },
      not_reached: { title: 'Sin conexión', detail: 'No pague mientras vea este aviso, por favor.' },
    },
    offline: {
      noCodeYet: { title: 'Sin conexión', detail: 'Su código se crea cuando vuelva. Puede cancelar.' },
      withdrawing: 'No hay conexión. Esto sigue cuando vuelva, o pregunte al personal.',
      withdrawingShown: 'No hay conexión. No pague ya este código y pregunte al personal, por favor.',
    },
    notWithdrawn: {
      paid: 'Se encontró un pago y ya no se puede cancelar.',
      node_unreachable: 'Este código aún se puede pagar, por eso la tarjeta todavía no es posible. Puede cancelar.',
    },
    part: (received, rest) => `Han llegado ${received}. Pague los ${rest} restantes, por favor.`,
    partSeen: (sent, total, rest) => `Ha enviado ${sent} de ${total}: faltan ${rest}.`,
    leftToPay: 'Falta por pagar',
    total: total => `Total ${total}`,
    codeValidFor: time => `Código válido durante ${time}`,
    code: 'Código para pagar con un monedero Bitcoin',
    payByCard: 'Pagar con tarjeta',
    payInBitcoin: 'Pagar con bitcoin',
  },
  outcomes: {
    approved: { title: 'Pago aprobado', detail: 'Gracias.' },
    declined: {
      title: 'Tarjeta denegada',
      detail:
        'No se le ha cobrado nada. Para usar otra tarjeta, empiece de nuevo donde hizo su pedido o avise al personal.',
    },
    cancelled: { title: 'Pago cancelado', detail: 'No se le ha cobrado nada.' },
    no_card: { title: 'Tiempo agotado', detail: 'El pago no terminó a tiempo. No se le ha cobrado nada.' },
    not_paid: { title: 'Tiempo agotado', detail: 'No llegó ningún pago. Si ha pagado, avise al personal, por favor.' },
    underpaid: {
      title: 'Pago incompleto',
      detail: 'Llegó menos de lo debido a tiempo. Avise al personal: se le devolverá.',
    },
    not_charged: {
      title: 'No se pudo pagar',
      detail: 'No se le ha cobrado nada. Empiece de nuevo o avise al personal, por favor.',
    },
    being_returned: {
      title: 'Pago no completado',
      detail: 'Si se cobró en su tarjeta, el dinero vuelve solo. Avise al personal, por favor.',
    },
    ask_staff: {
      title: 'Avise al personal, por favor',
      detail: 'Puede que se haya cobrado en su tarjeta. No pague otra vez antes de hablar con el personal.',
    },
  },
  counterOutcomes: {
    declined: {
      title: 'Tarjeta denegada',
      detail: 'No se le ha cobrado nada. El personal puede intentarlo otra vez o usar otra tarjeta.',
    },
    not_charged: {
      title: 'No se pudo pagar',
      detail: 'No se le ha cobrado nada. El personal puede intentarlo otra vez.',
    },
  },
};
