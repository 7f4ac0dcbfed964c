import type { CoreWords } from './en.ts';
import { esDayReport } from './es-day-report.ts';
import { esReaderDay } from './es-reader-day.ts';
import { esSales } from './es-sales.ts';

const notReached = '¡No hay conexión con el servidor!';
const noMoneyMoved = 'No se ha movido dinero.';
const notEnrolled = 'Este terminal ya no está registrado';
const support = 'Llame a soporte.';
const thisStaffMember = 'Esta persona';
const locked = '¡Bloqueado!';

/** Every sentence of the core in Spanish. */
export const es: CoreWords = {
  noMoneyMoved,
  terminal: {
    salesNotReached: {
      message: notReached,
      detail: 'Estas son las últimas ventas que vio este terminal; falta lo que les pasó en otros sitios.',
    },
    searchNotReached: {
      message: notReached,
      detail: 'Solo se puede buscar con conexión. La búsqueda se repite cuando vuelva.',
    },
    notOfASale: {
      message: 'Este código no es de un recibo',
      detail: 'No se ha cobrado nada. Para buscar una venta con él, escanéelo en Ventas recientes.',
    },
    checkingConnection: { message: 'Comprobando la conexión', detail: null },
    diskFull: {
      message: 'El disco de este terminal está lleno',
      detail: 'No se cobró nada. Habrá ventas nuevas cuando haya espacio: llame a soporte.',
    },
    saleNotStarted: {
      message: notReached,
      detail: 'No se ha cobrado nada. Compruebe la red y vuelva a cobrar.',
    },
  },
  printing: {
    merchantCopy: {
      title: 'Copia del comercio',
      again: 'Copia',
      agree: 'Acepto pagar el importe indicado.',
      signature: 'Firma del cliente',
    },
    troubles: {
      out_of_paper: { message: 'La impresora no tiene papel', remedy: 'Ponga un rollo nuevo' },
      cover_open: { message: 'La tapa de la impresora está abierta', remedy: 'Ciérrela' },
      not_reachable: {
        message: 'La impresora no responde',
        remedy: 'Compruebe que está encendida y conectada',
      },
      error: { message: 'La impresora indica un error', remedy: 'Revise la impresora' },
    },
    printAgain: remedy => `${remedy} e imprima de nuevo.`,
    mayHavePrinted: remedy => `${remedy}. Si el recibo no sale, imprímalo de nuevo: llevará la marca de copia.`,
    reasons: {
      not_reached: {
        message: notReached,
        detail: 'El pago no se ve afectado. Imprima el recibo cuando el terminal vuelva a tener conexión.',
      },
      not_ready: { message: 'El recibo aún no está listo', detail: 'Espere un momento e imprima de nuevo.' },
      restarted: {
        message: '¿Se imprimió el recibo?',
        detail: 'El terminal se reinició mientras tanto. Si no salió, imprímalo de nuevo: llevará la marca de copia.',
      },
    },
  },
  receiptEmail: {
    notAnAddress: { message: 'No es una dirección de correo', detail: 'Compruébela y envíelo de nuevo.' },
    notReached: {
      message: notReached,
      detail: 'El recibo no se envió. El pago no se ve afectado: envíelo cuando el terminal vuelva a tener conexión.',
    },
    unanswered: {
      message: '¿Se envió el recibo?',
      detail: 'No hubo respuesta. Envíelo de nuevo: en menos de un minuto no llega dos veces.',
    },
    notReady: { message: 'El recibo aún no está listo', detail: 'Espere un momento y envíelo de nuevo.' },
    tooMany: {
      message: 'Este recibo ya se envió el máximo de veces',
      detail: 'Hoy no se puede enviar más, ni a otra dirección. El cliente puede escanear su código.',
    },
    slowDown: {
      message: 'Un momento, por favor',
      detail: 'Demasiados intentos a la vez. Envíelo de nuevo en unos segundos.',
    },
    notSent: { message: 'El recibo no se envió', detail: 'El cliente puede escanear su código.' },
  },
  enrolment: {
    removed: {
      message: notEnrolled,
      detail: 'Se quitó del negocio. Un encargado puede registrarlo de nuevo con otro código.',
    },
    removedWithSale: {
      message: notEnrolled,
      detail:
        'Aún se comprueba una venta: no la cobre otra vez. Registre de nuevo este terminal con otro código de un encargado para saber su resultado.',
    },
    invalid: {
      message: 'Este código no es válido',
      detail: 'Un código sirve una vez, durante 15 minutos. Compruébelo o pida otro a un encargado.',
    },
    notReached: {
      message: notReached,
      detail: 'Compruebe la red de este terminal y vuelva a introducir el código. No se ha usado.',
    },
    unanswered: {
      message: notReached,
      detail: 'No hubo respuesta. Vuelva a introducir el código; si ahora se rechaza, pida otro a un encargado.',
    },
    slowDown: {
      message: 'Espere un momento',
      detail: 'Demasiados intentos a la vez. Vuelva a introducir el código en unos segundos.',
    },
  },
  modes: {
    notReached: {
      message: notReached,
      detail: 'El modo quiosco solo empieza y termina con conexión al servidor. Compruebe la red e inténtelo de nuevo.',
    },
    managerRequired: {
      message: 'Solo un encargado puede iniciar o terminar el modo quiosco',
      detail: 'Un encargado introduce su ID, o un administrador cambia el modo de este terminal.',
    },
  },
  reader: {
    card_left: 'Retire la tarjeta',
    tampered: 'Lector abierto: no lo use. Llame a soporte.',
    battery_low: 'La batería del lector está baja',
    in_use: 'Otro programa está usando el lector',
    no_permission: 'Este equipo no permite el acceso al lector',
    failed: 'No se pudo abrir el lector',
    silent: 'El lector no responde',
    incompatible: 'El lector necesita otro software que el de este terminal',
    echo: 'El cable del lector devuelve todo',
  },
  alerts: {
    refusedEntry: {
      message: 'El servicio rechazó un registro de este terminal',
      detail: `Se guarda aquí. ${support}`,
    },
    damagedEntry: {
      message: 'No se puede leer un registro de este terminal',
      detail: `Se guarda aquí. ${support}`,
    },
    refusedReport: {
      message: 'El servicio rechazó un informe de una venta',
      detail: `Se envía de nuevo hasta que se acepte. ${support}`,
    },
    diskFull: { message: 'El disco de este terminal está lleno', detail: `No acepta ventas nuevas. ${support}` },
    storageRebuilt: {
      message: 'El almacenamiento estaba dañado y se ha reparado',
      detail: 'Antes de volver a cobrar, mire en Ventas recientes.',
    },
    elsewhere: {
      message: 'Hay registros de otro negocio en espera',
      detail: 'Se entregarán cuando este terminal vuelva a estar registrado allí.',
    },
    count: count => `Son ${count}.`,
  },
  passwords: {
    tooShort: { message: 'Demasiado corta', detail: 'Elija una contraseña de al menos 8 caracteres.' },
    tooLong: { message: 'Demasiado larga', detail: 'Elija una contraseña de 128 caracteres como máximo.' },
    staffNumber: {
      message: 'No use su ID de empleado',
      detail: 'Otros lo conocen. Elija algo que solo usted sepa.',
    },
    different: {
      message: 'Las contraseñas no coinciden',
      detail: 'Escriba la misma contraseña nueva en los dos campos.',
    },
  },
  notices: {
    notReached: {
      message: notReached,
      detail: `${noMoneyMoved} Compruebe la red y vuelva a introducir la contraseña.`,
    },
    notReachedAtStaffId: { message: notReached, detail: `${noMoneyMoved} Compruebe la red e inténtelo de nuevo.` },
    notReachedUnprotected: {
      message: notReached,
      detail: `${noMoneyMoved} Compruebe la red y empiece de nuevo desde la venta.`,
    },
    incorrectStaffId: {
      message: 'ID de empleado incorrecto',
      detail: 'Nadie tiene este número en este negocio. Compruébelo y vuelva a escribirlo.',
    },
    staffIdNotKnownHere: {
      message: notReached,
      detail: 'Este terminal no conoce este ID y ahora no puede consultarlo. Compruebe el número y la red.',
    },
    storageChanged: {
      message: locked,
      detail:
        'Se han alterado los contadores de contraseñas incorrectas de este terminal. Nadie puede autorizar nada aquí hasta que vuelva a conectar con el servidor.',
    },
    staffDisabled: {
      message: 'Esta persona está desactivada',
      detail: `${noMoneyMoved} Un compañero puede introducir su ID; esta persona se vuelve a activar en el portal.`,
    },
    permissionDenied: {
      message: 'Sin permiso para devolver ni anular',
      detail: `${noMoneyMoved} Un compañero con permiso puede introducir su ID; un encargado lo concede.`,
    },
    permissionApprovable: {
      message: 'Sin permiso para devolver ni anular',
      detail: `${noMoneyMoved} Un compañero con permiso puede aprobarlo ahora.`,
    },
    selfApproval: {
      message: 'Debe aprobarlo otra persona',
      detail: `${noMoneyMoved} Esa persona introduce su propio ID.`,
    },
    approvalExpired: {
      message: 'El plazo para aprobar ha pasado. Empiece de nuevo',
      detail: `${noMoneyMoved} Quien lo pidió introduce de nuevo su ID.`,
    },
    expired: {
      message: 'Esta autorización ha caducado. Vuelva a introducir la contraseña',
      detail: noMoneyMoved,
    },
    staffNeeded: {
      message: 'Se necesitan ID de empleado y contraseña',
      detail: `Entretanto se activó la protección con contraseña. ${noMoneyMoved}`,
    },
    timeForNewPasswordOver: {
      message: 'Ha tardado demasiado',
      detail: 'La contraseña no cambió y no se ha movido dinero. Empiece de nuevo con su ID de empleado.',
    },
    passwordUnchanged: {
      message: 'Elija otra contraseña',
      detail: 'La contraseña provisional no puede quedarse. Elija una que solo usted conozca.',
    },
    passwordNotReached: {
      message: notReached,
      detail: 'La contraseña nueva no se guardó y no se ha movido dinero. Inténtelo de nuevo.',
    },
    slowDown: {
      message: 'Espere un momento',
      detail: `Demasiados intentos a la vez. ${noMoneyMoved} Inténtelo de nuevo en unos segundos.`,
    },
    revoked: {
      message: notEnrolled,
      detail: `${noMoneyMoved} Un encargado puede registrarlo de nuevo con otro código.`,
    },
    exceeds: {
      message: 'La devolución supera la venta',
      detail: 'Elija como máximo lo que queda de esta venta.',
    },
    silent: {
      message: 'Comprobando',
      detail:
        'No hubo respuesta. El terminal sigue preguntando y no envía nada dos veces. Pasado un minuto puede salir de esta pantalla.',
    },
    restarted: {
      message: 'Comprobando',
      detail: 'El terminal se reinició en plena operación. Está averiguando el resultado y no envía nada dos veces.',
    },
    notReceived: {
      message: 'No enviada',
      detail: 'El servicio no la recibió: no se ha movido dinero. Empiece de nuevo desde la venta.',
    },
    leftSilent: {
      message: 'Aún no se sabe',
      detail: 'No se pudo consultar al servicio. Si la recibió, la venta lo muestra: mírela antes de empezar de nuevo.',
    },
    leftPending: {
      message: 'Aún sin decidir',
      detail:
        'El banco no ha respondido todavía. El servicio sigue comprobando y la venta muestra el resultado. No empiece otra vez.',
    },
  },
  withdrawn: {
    expired: requestedBy => ({
      message: 'Solicitud caducada',
      detail: `${noMoneyMoved} Para devolver el dinero, empiece de nuevo desde ${requestedBy}.`,
    }),
    cancelled: requestedBy => ({
      message: `Cancelada por ${requestedBy}`,
      detail: `${noMoneyMoved} Aquí no queda nada por hacer.`,
    }),
  },
  limits: {
    otherPerson: 'Un compañero puede introducir su ID, o se puede devolver un importe menor.',
    colleagueApproves: 'Un compañero con un límite mayor puede aprobarlo ahora.',
    perTransaction: {
      message: '¡Importe demasiado alto!',
      detail: (name, limit, next) =>
        `${name ?? thisStaffMember} puede devolver hasta ${limit} de una vez. ${noMoneyMoved} ${next}`,
    },
    daily: {
      message: '¡Límite diario alcanzado!',
      detail: (name, limit, left, next) =>
        `${name ?? thisStaffMember} puede devolver hasta ${limit} al día y hoy le queda un margen de ${left}. ${noMoneyMoved} ${next}`,
    },
  },
  incorrectPassword: {
    message: 'Contraseña incorrecta',
    triesLeft: count => (count === 1 ? 'Queda 1 intento.' : `Quedan ${count} intentos.`),
  },
  lockouts: {
    lockedOut: locked,
    lockedOutUntil: time => `Bloqueado hasta ${time}`,
    tooManyAttempts: '¡Demasiados intentos, inténtelo más tarde!',
    staff: (name, until) =>
      `${name ?? thisStaffMember} tiene el acceso bloqueado${until ? ` hasta ${until}` : ''}: demasiadas contraseñas incorrectas. ${noMoneyMoved} Vuelva atrás para que un compañero introduzca su ID, o pida a un encargado que lo desbloquee en el portal, página «Staff».`,
    terminal: until =>
      `Este terminal está bloqueado${until ? ` hasta ${until}` : ''} para todos: se introdujeron demasiadas contraseñas incorrectas. ${noMoneyMoved} Use otro terminal, o pida a un encargado que desbloquee este.`,
  },
  refusals: {
    payment_already_cancelled: {
      message: 'El pago ya está anulado',
      detail: 'Esta venta ya se anuló: el cliente no la paga. No hay nada que devolver.',
    },
    payment_already_refunded: {
      message: 'El pago ya está devuelto',
      detail: 'Ya se devolvió una parte de esta venta, así que no se puede anular. Devuelva el resto.',
    },
    refund_exceeds_payment: {
      message: 'La devolución supera la venta',
      detail: `Queda menos de esta venta de lo que se pidió. ${noMoneyMoved} Mire la venta y elija de nuevo.`,
    },
    payment_already_settled: { message: 'Tarde para anular', detail: `Haga una devolución. ${noMoneyMoved}` },
    payment_not_settled: { message: 'Pronto para devolver', detail: `Anule la venta. ${noMoneyMoved}` },
    payment_settling: {
      message: 'En liquidación',
      detail: `El banco está liquidando esta venta y ahora no se puede anular ni devolver. ${noMoneyMoved}`,
    },
    settlement_rejected: {
      message: 'No liquidada',
      detail: `El banco no liquidó esta venta. ${noMoneyMoved} ${support}`,
    },
    payment_not_at_gateway: {
      message: 'El banco no lo conoce',
      detail: 'El banco no tiene constancia de este pago, así que no se puede devolver nada.',
    },
    refund_in_progress: {
      message: 'Otra devolución en curso',
      detail: 'Aún se decide otra devolución de esta venta. Espere y vuelva a mirar la venta.',
    },
    other: { message: 'No es posible', detail: noMoneyMoved },
  },
  lookAgain: {
    at: time => `Vuelva a mirar a las ${time}.`,
    inAMinute: 'Vuelva a mirar en un minuto.',
    later: 'Vuelva a mirar más tarde.',
  },
  returned: {
    voided: {
      message: 'Anulada',
      detail: 'No se carga nada en la tarjeta. El banco libera el importe retenido; puede tardar unos días.',
    },
    refunded: {
      message: 'Devuelta',
      detail: amount => `El importe de ${amount} vuelve a la tarjeta normalmente en 1-5 días laborables.`,
    },
    declined: { message: 'Denegada', detail: 'El banco se negó a devolver el dinero.' },
    failed: { message: 'Ha fallado', detail: 'No se pudo contactar con el banco.', next: 'Inténtelo de nuevo.' },
    bankSays: message => `El banco dice: ${message}.`,
    checking: 'Comprobando',
    checkingVoid:
      'El banco aún no ha confirmado esta anulación. El servicio sigue comprobando y el resultado estará con la venta, en Ventas recientes. Puede salir de esta pantalla.',
    checkingRefund: amount =>
      `El banco aún no ha confirmado esta devolución de ${amount}. El servicio sigue comprobando y el resultado estará con la venta, en Ventas recientes. Puede salir de esta pantalla.`,
  },
  receipt: {
    business: 'Comercio',
    terminal: 'Terminal',
    date: 'Fecha',
    invoice: 'N.º de venta',
    voidOfInvoice: 'Anulación de venta',
    refundOfInvoice: 'Devolución de venta',
    amount: 'Importe',
    tip: 'Propina incluida',
    voided: 'Anulado',
    refunded: 'Devuelto',
    card: 'Tarjeta',
    entry: 'Lectura',
    entryModes: { chip: 'Chip', contactless: 'Sin contacto', swipe: 'Banda magnética' },
    authorisation: 'N.º de autorización',
    authorisedBy: 'Autorizado por',
    requestedBy: 'Solicitado por',
    approvedBy: 'Aprobado por',
    bankReference: 'Referencia del banco',
    reference: 'Referencia',
    paidWith: 'Pagado con',
    methods: { lightning: 'Bitcoin, Lightning', onchain: 'Red Bitcoin', card: 'Tarjeta' },
    bitcoin: 'Bitcoin',
  },
  dayReport: esDayReport,
  readerDay: esReaderDay,
  ...esSales,
};
