import type { ReceiptWords } from './receipt-words.ts';

export const spanish: ReceiptWords = {
  titles: { sale: 'Recibo', void: 'Recibo de anulación', refund: 'Recibo de devolución' },
  facts: {
    paidOn: 'Pagado el',
    voidedOn: 'Anulado el',
    refundedOn: 'Devuelto el',
    amount: 'Importe',
    tip: 'Propina incluida',
    for: 'Concepto',
    reference: 'Referencia',
    paidWith: 'Pagado con',
    returnedTo: 'Devuelto a',
    read: 'Tarjeta leída por',
    authorisation: 'N.º de autorización',
    transaction: 'Transacción',
    invoice: 'Factura',
    payment: 'ID del pago',
    receipt: 'ID del recibo',
    left: 'Resto de la compra',
  },
  methods: {
    card: 'Tarjeta',
    apple_pay: 'Apple Pay',
    google_pay: 'Google Pay',
    lightning: 'Bitcoin por Lightning',
    onchain: 'Red Bitcoin',
  },
  card: 'Tarjeta',
  entryModes: { chip: 'Chip', contactless: 'Sin contacto', swipe: 'Banda magnética' },
  returns: { void: 'Anulado', refund: 'Devuelto', rejected: 'No abonado por el banco' },
  returnsTitle: 'Desde entonces',
  ofSale: (amount, day) => `De la compra de ${amount} del ${day}`,
  nothingLeft: 'Nada',
  page: {
    print: 'Imprimir o guardar',
    email: 'Enviar este recibo por correo electrónico',
    emailLabel: 'Correo electrónico',
    emailHint: 'La dirección se usa solo para este recibo.',
    send: 'Enviar',
    sent: 'El recibo está en camino.',
    refused: {
      address_invalid: 'No es una dirección de correo electrónico. Compruébela.',
      too_many_addresses: 'Este recibo ya se ha enviado a tres direcciones, que es el límite.',
      too_many_emails: 'Este recibo ya se ha enviado cinco veces hoy, que es el límite. Inténtelo de nuevo mañana.',
    },
    proof: 'Recibo firmado',
    proofWhy:
      'Un archivo firmado por la empresa. Cualquiera puede comprobar que no se ha modificado, sin preguntar a la empresa.',
    download: 'Descargar el recibo firmado',
    verify: 'Comprobar un recibo firmado',
    none: 'No hay ningún recibo en esta dirección',
    noneWhy:
      'Es posible que la dirección esté incompleta. Un recibo aparece un momento después de su pago: si acaba de pagar, vuelva a cargar esta página.',
  },
  letter: {
    subject: merchant => `Su recibo de ${merchant}`,
    open: 'Abrir el recibo',
    later: 'La página muestra también las devoluciones posteriores.',
    reason: merchant =>
      `Esta dirección se escribió para enviar a ella un recibo de ${merchant}. Se guarda con ese recibo y no se usa para nada más.`,
  },
};
