import type { PayerWords } from './payer-words.ts';

export const spanish: PayerWords = {
  languageSwitch: 'Idioma',
  noScript: {
    waitReload: 'Cuando haya pagado, vuelva a cargar esta página.',
    paidReload: 'Ya he pagado: volver a cargar la página',
  },
  nowhere: {
    title: 'No hay ninguna página en esta dirección',
    lines: [
      'Es posible que la dirección esté incompleta. Abra el enlace tal como lo recibió o pregunte al remitente. No se ha cobrado nada por abrir esta página.',
    ],
  },
  refused: {
    title: 'Esta página no se puede mostrar en este momento',
    tooManyRequests: 'Se ha solicitado demasiadas veces en poco tiempo.',
    fromElsewhere: 'La solicitud procede de otro sitio web.',
    other: 'Se ha producido un error por nuestra parte.',
    next: 'Espere un momento y vuelva a cargarla. Si estaba pagando, abra de nuevo la página de pago: indica el estado de su pago. No pague por segunda vez antes de verlo.',
  },
  waiting: 'Esperando su pago.',
  showsByItself: 'Esta página lo mostrará automáticamente.',
  goesByItself: 'En unos segundos irá allí automáticamente.',
  connectionLost: 'Sin conexión. Esta página continuará en cuanto se recupere.',
  codeStillWorks: 'Aun así puede pagar con el código de abajo, una sola vez: el pago se detectará después.',

  openInWallet: 'Abrir en el monedero',
  copy: 'Copiar',
  writeTag: 'Escribir en una etiqueta NFC',
  payWholeBy: time => `Pague el importe completo antes de las ${time}, una sola vez.`,
  payRestBy: time => `Pague el resto antes de las ${time}, una sola vez.`,
  lightningInvoice: 'Factura Lightning',
  lightningAddress: 'Dirección Lightning',
  bitcoinAddress: 'Dirección Bitcoin',
  amountInBitcoin: 'Importe en bitcoins',
  codes: {
    lightning: 'Código QR para pagar por Lightning',
    onchain: 'Código QR para pagar por la red Bitcoin',
    wallet: 'Código QR para pagar con un monedero Bitcoin',
    tip: 'Código QR para dar una propina con un monedero Lightning',
  },

  claim: {
    about: ({ sats, worth }) => `${sats} (unos ${worth})`,
    states: {
      open: merchant => `${merchant} debe devolverle este importe: indique abajo adónde.`,
      requested: merchant =>
        `${merchant} sabe adónde quiere que se le devuelva el importe y lo enviará allí. Esta página indicará cuándo se ha hecho.`,
      disputed: merchant =>
        `${merchant} ha recibido distintos destinos para la devolución y primero debe averiguar cuál es el correcto. Póngase en contacto con ${merchant}.`,
      returned: merchant => `${merchant} ha devuelto el importe.`,
    },
    refusals: {
      destination_invalid: 'No se puede enviar nada allí: compruebe lo que ha escrito.',
      other_network: 'Es de otra red Bitcoin que la de su pago: indique un destino de la misma red.',
      destination_of_merchant:
        'Es la dirección o la factura que usted pagó, u otra de un comercio: indique una de su propio monedero.',
      invoice_expired: 'Esta factura Lightning ha caducado: cree una nueva.',
      invoice_amount_differs:
        'El importe de esta factura Lightning no es el que hay que devolver: cree una por ese importe o sin importe.',
      too_many_destinations: 'Ya se han indicado demasiados destinos distintos: póngase en contacto con el comercio.',
    },
    where: 'Adónde devolverlo',
    hint: 'Su dirección Bitcoin o su dirección Lightning, que parece una dirección de correo. Una factura Lightning solo sirve hasta que caduca. Compruebe que no haya errores: no se puede cambiar.',
    hintAgain: merchant => `Si indica otro destino, ${merchant} tendrá que preguntar antes de devolver nada.`,
    ask: 'Pedir la devolución',
    given: destination => `Ha indicado ${destination}.`,
    givenCheck: merchant => `Compruebe que no haya errores: si no es correcto, póngase en contacto con ${merchant}.`,
    isItWrong: '¿No es correcto o lo ha escrito otra persona?',
    toBeReturned: amount => `Importe por devolver: ${amount}`,
    wereReturned: amount => `Se han devuelto ${amount}`,
    whyOnLink: 'El importe llegó tarde o no era el solicitado, y no ha pagado este enlace.',
  },

  confirmation: {
    one: 'Confirmación de pago',
    several: 'Pagos',
    paidTo: 'Pagado a',
    returnedSince: 'Devuelto desde entonces',
    invoice: 'N.º de venta',
    receipt: 'Recibo',
    receiptFor: invoiceNumber => `Recibo de ${invoiceNumber}`,
    receiptByEmail: 'Enviar el recibo por correo electrónico',
  },

  onTheirWay: {
    title: 'Pago detectado',
    whole: sats =>
      `${sats} están en camino. Contarán cuando la red Bitcoin los haya confirmado, normalmente en menos de una hora. No vuelva a pagar; puede cerrar esta página.`,
    partTitle: 'No está en camino el importe completo',
    partOfCheckout: ({ part, whole }) =>
      `Se han enviado ${part} de ${whole}. Cuando la red Bitcoin los haya confirmado, normalmente en menos de una hora, esta página indicará cómo pagar el resto o, si para entonces se ha agotado el tiempo, cómo recuperarlos.`,
    partOfLink: ({ part, whole }) =>
      `Se han enviado ${part} de ${whole}. Cuando la red Bitcoin los haya confirmado, normalmente en menos de una hora, esta página indicará qué hacer con el resto.`,
  },

  checkout: {
    titles: {
      PENDING: 'Pagar',
      PROCESSING: 'Pago en camino',
      COMPLETE: 'Pagado',
      UNDERPAID: 'Pagado en parte',
      EXPIRED: 'Caducado',
      CANCELLED: 'Cancelado',
    },
    unavailable: {
      title: 'Esta página de pago no está disponible',
      lines: [
        'La dirección está incompleta o nunca existió. Vuelva al comercio y empiece de nuevo. No se ha cobrado nada por abrir esta página.',
      ],
    },
    order: orderId => `Pedido ${orderId}`,
    satsAt: ({ sats, price }) => `${sats} a ${price} por bitcoin`,
    interrupted: 'Los pagos están interrumpidos',
    interruptedWhy: merchant =>
      `${merchant} no puede aceptar pagos en este momento. No se ha cobrado nada. Esta página lo intentará de nuevo automáticamente: espere un momento.`,
    timeIsUp: 'El tiempo se ha agotado',
    beingChecked: 'No pague más. Se está comprobando si algún pago llegó a tiempo; tardará un momento.',
    partArrived: 'Ha llegado una parte del importe',
    sendTheOther: ({ part, whole, rest }) => `Han llegado ${part} de ${whole}. Envíe los ${rest} restantes.`,
    received: ({ merchant, sats }) => `${merchant} ha recibido ${sats}.`,
    moreThanAsked: amount => `Son ${amount} más de lo solicitado.`,
    notEnough: 'No se ha pagado lo suficiente',
    arrivedOf: ({ part, whole }) =>
      `${part} de ${whole} llegaron antes de agotarse el tiempo. El pedido no está pagado.`,
    tooLate: 'Su pago ha llegado demasiado tarde',
    arrivedAfter: amount => `${amount} llegaron después de agotarse el tiempo. El pedido no está pagado.`,
    nothingPaid: merchant => `No se ha pagado nada. No pague más; vuelva a ${merchant} para empezar de nuevo.`,
    cancelledArrived: amount => `${amount} llegaron de todos modos.`,
    cancelled: 'Este pago se ha cancelado. No pague más.',
    howToPay: 'Cómo pagar',
    waysToPay: 'Formas de pago',
    networks: { lightning: 'Lightning', onchain: 'Red Bitcoin' },
    backTo: merchant => `Volver a ${merchant}`,
  },

  pay: {
    unavailable: {
      title: 'Este enlace de pago no está disponible',
      lines: [
        'Es posible que se haya retirado o que la dirección esté incompleta. Pida uno nuevo al remitente. No se ha cobrado nada por abrir esta página.',
      ],
    },
    bankChecked: { title: 'Comprobado', lines: ['La comprobación de su banco continúa.'] },
    payableUntil: time => `Se puede pagar hasta el ${time}.`,
    success: 'Pago realizado',
    paid: 'Pagado',
    paidWhy: merchant => `${merchant} ha recibido este pago. No queda nada por pagar.`,
    continueTo: merchant => `Continuar a ${merchant}`,
    expired: 'Este enlace de pago ha caducado',
    expiredPaid: 'Se había pagado por completo. No queda nada por pagar.',
    expiredPart: ({ paid, merchant }) => `Importe pagado: ${paid}. Para el resto, póngase en contacto con ${merchant}.`,
    expiredUnpaid: merchant => `Ya no se puede pagar. Pida uno nuevo a ${merchant}.`,
    partTaken: 'Solo se ha cobrado una parte del importe',
    partTakenWhy: ({ part, whole, merchant }) =>
      `Su banco ha autorizado menos de lo solicitado: ha pagado ${part} de ${whole}. El resto no se puede pagar en línea: póngase en contacto con ${merchant}.`,
    partPaid: 'Ya se ha pagado una parte',
    partPaymentUnavailable: rest =>
      `El pago parcial en línea no está disponible, por lo que el resto (${rest}) no se puede pagar en esta página.`,
    payRest: merchant => `Para pagar el resto, póngase en contacto con ${merchant}. Lo ya pagado se tendrá en cuenta.`,
    paidSoFar: 'Pagado hasta ahora',
    leftToPay: 'Queda por pagar',
    sending: { title: 'Se está realizando su pago', lines: ['Espere y no vuelva a pagar.'] },
    checking: {
      title: 'Estamos comprobando su pago',
      lines: [
        'No vuelva a pagar: estamos preguntando al banco si se ha realizado. Esta página mostrará la respuesta automáticamente.',
      ],
    },
    checkingLater: merchant =>
      `Puede cerrarla y abrir el enlace más tarde. Si tarda más de una hora, póngase en contacto con ${merchant}.`,
    contactingBank: {
      title: 'Contactando con su banco',
      lines: ['Esto tarda unos segundos. Mantenga esta página abierta.'],
    },
    bankAsks: {
      title: 'Su banco le pide que confirme este pago',
      lines: ['Continúe en la página de su banco. Después volverá aquí. Todavía no se ha cobrado nada.'],
    },
    bankElsewhere: 'Un pago de este enlace espera confirmación',
    bankElsewhereWhy: time =>
      `Alguien con este enlace está ahora en la página de su banco. Si es usted, en otra ventana o en otro dispositivo, termine allí. Si no, terminará por sí solo antes de las ${time}, y entonces podrá pagar aquí. Todavía no se ha cobrado nada.`,
    voided: 'El pago se ha anulado',
    voidedBy: merchant => `${merchant} lo ha anulado y no se cobra nada de la tarjeta.`,
    voidedPayBelow: 'Si todavía quiere pagar, puede hacerlo abajo.',
    voidedAskForNew: 'Este enlace no acepta otro pago: si todavía quiere pagar, pida uno nuevo.',
    failed: {
      title: 'El pago no se ha realizado',
      lines: ['No se ha podido contactar con el banco. No se ha cobrado nada. Inténtelo de nuevo.'],
    },
    declined: {
      bank: {
        title: 'Tarjeta denegada',
        lines: [
          'Su banco no ha autorizado el pago. No se ha cobrado nada. Pruebe con otra tarjeta o pregunte a su banco.',
        ],
      },
      bank_check: {
        title: 'Tarjeta denegada: ha fallado la comprobación adicional del banco',
        lines: [
          'Su banco no ha confirmado que era usted. No se ha cobrado nada. Inténtelo de nuevo o use otra tarjeta.',
        ],
      },
      bank_check_incomplete: {
        title: 'No se ha podido completar la comprobación del banco',
        lines: ['No se ha cobrado nada. Puede intentarlo de nuevo.'],
      },
    },
    toBank: 'Continuar a su banco',
    bankFrame: 'Comprobación de su banco',
    startAgain: 'Empezar de nuevo',
    notPayable: 'Este enlace no se puede pagar en línea en este momento',
    contact: merchant => `Póngase en contacto con ${merchant}.`,
    card: 'tarjeta',
    payBy: methods => `Pagar con ${methods}`,
    needsScript: 'Para pagar con tarjeta se necesita JavaScript',
    needsScriptWhy: merchant =>
      `Los datos de su tarjeta se escriben en campos del proveedor de pagos, que no se han cargado. Active JavaScript y vuelva a cargar esta página, o póngase en contacto con ${merchant}.`,
    loading: 'Cargando los campos de la tarjeta…',
    payAmount: amount => `Pagar ${amount}`,
    cardPrivacy: merchant =>
      `Los datos de su tarjeta van directamente al proveedor de pagos. ${merchant} nunca los ve.`,
    or: 'o',
    inBitcoin: 'Pagar con bitcoin',
    anotherWay: 'Pagar de otra forma',
    priceOfOne: price => `A ${price} por bitcoin`,
    bitcoinUnavailable: {
      title: 'El pago en bitcoins no está disponible en este momento',
      lines: ['No se ha cobrado nada. Inténtelo de nuevo en un minuto o pague de otra forma.'],
    },
    bitcoinAmount: {
      title: 'Este importe no se puede pagar en bitcoins',
      lines: ['No se ha cobrado nada. Pague de otra forma o pregunte al comercio.'],
    },
    inProgress: {
      title: 'Hay un pago en camino',
      lines: ['Espere a que haya llegado y no vuelva a pagar.'],
    },
    partArrived: 'Solo ha llegado una parte del importe',
    sendMore: ({ arrived, rest, merchant }) =>
      `Han llegado ${arrived}. Envíe ${rest} más a la dirección Bitcoin de abajo o póngase en contacto con ${merchant}.`,
    arrivedPaysNothing: time =>
      `Lo que ha llegado no paga nada por sí solo: si el resto no llega antes de las ${time}, se le deberá devolver.`,
  },

  tip: {
    title: name => `Propina para ${name}`,
    how: ({ least, most }) =>
      `Escanee el código con un monedero Lightning y elija cuánto dar, de ${least} a ${most}. Su monedero le indicará cuándo ha llegado.`,
    unavailable: {
      title: 'Este enlace de propinas no está disponible',
      lines: ['Ya no acepta propinas o la dirección está incompleta. No se ha cobrado nada por abrir esta página.'],
    },
  },

  script: {
    copied: 'Copiado',
    payWholeWithin: 'Pague el importe completo, una sola vez. Quedan {time}.',
    payRestWithin: 'Pague el resto, una sola vez. Quedan {time}.',
    timeIsOver: 'El tiempo se ha agotado. No pague más.',
    tagHold: 'Acerque una etiqueta a la parte trasera de este dispositivo.',
    tagWritten: 'Escrita. Acerque la etiqueta al teléfono con el monedero.',
    tagFailed: 'No se ha escrito nada. Active NFC y permítalo para esta página, o use el código de arriba.',
    cardFields: 'Datos de la tarjeta',
    confirmInWallet: 'Confirme en el monedero…',
    paying: 'Pagando…',
    checking: 'Comprobando…',
    notMade: 'El pago no se ha realizado. Inténtelo de nuevo.',
    tooManyRequests: 'Ha habido demasiadas solicitudes. No se ha cobrado nada. Espere un momento e inténtelo de nuevo.',
    findingOut:
      'Se ha perdido la conexión. Estamos averiguando si su pago ha llegado. No vuelva a pagar todavía y mantenga esta página abierta.',
    providerUnreachable:
      'No se ha podido contactar con el proveedor de pagos. No se ha cobrado nada. Inténtelo de nuevo.',
    notArrived: 'Su pago no ha llegado y no se ha cobrado nada. Inténtelo de nuevo.',
  },
};
