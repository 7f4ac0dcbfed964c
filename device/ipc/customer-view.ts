import type { Screen, View } from './view.ts';

/** What the customer's display shows of a View: the payment in progress, as in kiosk mode, and nothing that is for staff. */
export function customerView({ sequence, header, screen, receipt }: View): View {
  const forCustomers = {
    ...header,
    ...header.customer,
    mode: 'kiosk' as const,
    alerts: [],
    waitingToSync: 0,
    mayShowStatus: false,
  };
  const shown = screen.name === 'sale_result' ? receipt : null;
  // The display has the code beside its thanks, whatever staff look at; the merchant's copy is no receipt of the customer.
  const ofCustomer = shown && {
    ...shown,
    isCodeShown: false,
    print: shown.print && { ...shown.print, notice: null },
    merchantCopy: null,
    email: null,
  };
  return { sequence, header: forCustomers, screen: customerScreen(screen), receipt: ofCustomer };
}

function customerScreen(screen: Screen): Screen {
  switch (screen.name) {
    case 'tip':
    case 'sale':
    case 'bitcoin_sale':
    case 'kiosk_idle':
    case 'starting':
      return screen;
    case 'sale_result':
      return { ...screen, sale: screen.sale && { ...screen.sale, returns: [] } };
    case 'enrolment':
      return { name: 'starting' };
    case 'keypad':
    case 'terminal_status':
    case 'recent_sales':
    case 'find_sale':
    case 'day_report':
    case 'reader_day':
    case 'sale_detail':
    case 'return_receipt':
    case 'uncharged_sale':
    case 'refund_amount':
    case 'confirm_return':
    case 'staff_id':
    case 'staff_password':
    case 'new_password':
    case 'locked_out':
    case 'return_progress':
    case 'return_result':
      return { name: 'kiosk_idle' };
  }
}
