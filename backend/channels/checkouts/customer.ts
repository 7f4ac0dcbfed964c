import { bitcoinText } from '@florin/shared/bitcoin.ts';
import { isFinalCheckout } from '@florin/shared/contracts/api-v1/checkouts.ts';
import type { Clock, Instant } from '@florin/shared/ports.ts';
import type { InvoiceNetwork } from '../../bitcoin/invoices/rows.ts';
import type { BitcoinInvoices } from '../../bitcoin/invoices/service.ts';
import { confirmationOf, type PaymentConfirmation } from '../../money/payments/confirmation.ts';
import type { Business, BusinessService } from '../../people/businesses/service.ts';
import { paidIn } from './checkout.ts';
import { redirectUrlOf } from './redirect.ts';
import type { CheckoutRow } from './rows.ts';
import type { CheckoutService } from './service.ts';
import type { CheckoutSettingsOf } from './signing-keys.ts';

/** What the customer pays to. */
export type PaymentRequest = {
  readonly network: InvoiceNetwork;
  /** The URI that a wallet opens; the QR code shows the same in a shorter form. */
  readonly walletUrl: string;
  readonly codeText: string;
  /** The text that is copied. */
  readonly text: string;
  readonly amountSats: number;
};

export type CheckoutView = {
  readonly checkout: CheckoutRow;
  readonly business: Pick<Business, 'id' | 'name' | 'accentColour' | 'locale' | 'timeZone'>;
  readonly networks: readonly InvoiceNetwork[];
  readonly chosen: InvoiceNetwork;
  /** Undefined if nothing is to be paid now or the node is unreachable. */
  readonly request: PaymentRequest | undefined;
  /** Whether the node is unreachable. */
  readonly isNodeDown: boolean;
  readonly paid: ReturnType<typeof paidIn>;
  /** The payments that paid it, oldest first; empty while it is unpaid. */
  readonly payments: readonly PaymentConfirmation[];
  readonly redirectUrl: string | null;
  readonly frameOrigins: readonly string[];
  readonly now: Instant;
};

/** A checkout as its customer sees it. */
export type CustomerCheckouts = {
  view(id: string, wanted: InvoiceNetwork | undefined): Promise<CheckoutView | undefined>;
};

/**
 * The hosted page's view of a checkout. A view of an unpaid checkout creates the invoice or address for the chosen
 * network.
 */
export function customerCheckouts(options: {
  clock: Clock;
  checkouts: Pick<CheckoutService, 'find'>;
  invoices: Pick<BitcoinInvoices, 'open' | 'networks' | 'paying'>;
  businesses: Pick<BusinessService, 'find'>;
  settings: Pick<CheckoutSettingsOf, 'of'>;
}): CustomerCheckouts {
  const { checkouts, invoices, businesses, settings } = options;

  /**
   * After a partial on-chain payment the rest is paid on chain too, because a Lightning invoice is for the whole
   * amount.
   */
  function choices(checkout: CheckoutRow, networks: readonly InvoiceNetwork[]): readonly InvoiceNetwork[] {
    return paidIn(checkout).receivedSats > 0 ? networks.filter(network => network === 'onchain') : networks;
  }

  async function requestOf(
    checkout: CheckoutRow,
    network: InvoiceNetwork,
  ): Promise<PaymentRequest | 'node_down' | undefined> {
    const opened = await invoices.open(checkout.invoiceId, network);
    if (!opened.ok) return opened.refusal.kind === 'node_unreachable' ? 'node_down' : undefined;
    const { bolt11, address } = opened.value;
    const amountSats = checkout.amountSats - paidIn(checkout).receivedSats;
    if (network === 'lightning') return bolt11 === null ? undefined : lightningRequest(bolt11, amountSats);
    return address === null ? undefined : onChainRequest(address, amountSats);
  }

  return {
    async view(id, wanted) {
      const checkout = await checkouts.find(id);
      const business = checkout && (await businesses.find(checkout.businessId));
      if (!checkout || !business) return undefined;
      const { signingKey, frameOrigins } = await settings.of(business.id);
      const isPayable = checkout.status === 'PENDING';
      const offered = isPayable ? await invoices.networks(business.id, checkout.amountSats) : [];
      const networks = choices(checkout, offered);
      const chosen = networks.find(network => network === wanted) ?? networks[0] ?? 'lightning';
      const request = isPayable ? await requestOf(checkout, chosen) : undefined;
      // The node's response may have changed the checkout.
      const now = isFinalCheckout(checkout.status) ? checkout : ((await checkouts.find(id)) ?? checkout);
      const paying = now.status === 'COMPLETE' ? await invoices.paying([now.invoiceId]) : [];
      return {
        checkout: now,
        business,
        networks,
        chosen,
        request: request === 'node_down' ? undefined : request,
        isNodeDown: request === 'node_down',
        paid: paidIn(now),
        payments: paying.map(payment => confirmationOf(payment, { showsCard: false })),
        redirectUrl: redirectUrlOf(now, signingKey),
        frameOrigins,
        now: options.clock.now(),
      };
    },
  };
}

/** Upper case makes a smaller QR code; wallets ignore case here. */
function lightningRequest(bolt11: string, amountSats: number): PaymentRequest {
  const codeText = `lightning:${bolt11.toUpperCase()}`;
  return { network: 'lightning', walletUrl: `lightning:${bolt11}`, codeText, text: bolt11, amountSats };
}

function onChainRequest(address: string, amountSats: number): PaymentRequest {
  const query = `?amount=${bitcoinText(amountSats)}`;
  // Only bech32 addresses are case-insensitive.
  const inCode = /^(bc|tb|bcrt)1/.test(address) ? address.toUpperCase() : address;
  const walletUrl = `bitcoin:${address}${query}`;
  return { network: 'onchain', walletUrl, codeText: `bitcoin:${inCode}${query}`, text: address, amountSats };
}
