import type { TerminalCommand } from '@florin/shared/contracts/device-v1/commands.ts';
import type { TerminalSaleRow } from '../../backend/channels/terminal-sales/rows.ts';
import type { Services } from '../../backend/compose.ts';
import { answerIn, type Caller } from './caller.ts';
import type { Action } from './plan.ts';
import { gbp } from './world.ts';

type DrivenSale = Extract<Action, { kind: 'drivenSale' }>;
type Commands = Services['terminalSales']['commands'];
type Report = Parameters<Commands['report']>[2]['report'];
const by = { kind: 'api_key', apiKeyId: 'key_000001' } as const;

/** Software that starts sales on a terminal over the API, and the terminal that processes them. */
export class Kiosk {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  async sell(action: DrivenSale): Promise<void> {
    const { shop, terminal } = this.#caller;
    const channelId = `channel-${this.#caller.requestId()}`;
    if (action.isOnline) await this.#call(services => services.terminalSales.channels.opened(terminal, channelId));
    const key = `key-${this.#caller.requestId()}`;
    const turns = Array.from({ length: action.times }, (_, turn) => turn);
    const started = await Promise.all(turns.map(turn => this.#start(action, key, turn)));
    const saleId = started.find(id => id !== undefined);
    if (saleId === undefined) return;
    shop.note(`${this.#caller.name} started ${saleId}`);
    await Promise.all([this.#watch(saleId), this.#cancel(saleId, action), this.#takeUp(saleId, action)]);
  }

  get #owner() {
    return { businessId: this.#caller.shop.world.business.id, terminalIds: null };
  }

  #call<Value>(work: (services: Services) => Promise<Value>, turn?: number): Promise<Value | undefined> {
    return this.#caller.callWithRetries(instance => instance.call(work), turn);
  }

  /** The id of the started sale, if any: the terminal may be busy. */
  async #start({ amountMinor }: DrivenSale, key: string, turn: number): Promise<string | undefined> {
    const { callers, machine } = this.#caller;
    const { serial } = machine;
    const input = { serial, type: 'sale', mode: 'any', amountInCents: amountMinor, currency: 'GBP' } as const;
    const answerWith = ({ id }: TerminalSaleRow) => ({ status: 201, body: id });
    const outcome = await this.#call(
      services =>
        this.#caller.keyed(key, async ({ terminalSales }, call) => {
          const write = call.storing(answerWith);
          const request = { ...this.#owner, input: { ...input, shouldPrint: false }, by, requestedBy: 'Kiosk', write };
          const sale = await terminalSales.start(request);
          return sale.ok ? answerWith(sale.value) : { status: 409, error: sale.refusal };
        })(services),
      turn,
    );
    const answer = answerIn(outcome);
    if (answer?.status !== 201) return undefined;
    const { status, body, isFirst } = answer;
    callers.answered(key, isFirst, `${status} ${String(body)}`);
    return String(body);
  }

  /** Polls the sale: a later answer must never describe an earlier state. */
  async #watch(saleId: string): Promise<void> {
    let last: TerminalSaleRow | undefined;
    for (const waitMs of [0, 500, 5_000, 20_000, 60_000]) {
      await this.#caller.shop.wait(waitMs);
      const now = await this.#call(services => services.terminalSales.find(this.#owner, saleId));
      if (!now) continue;
      const isOlder = last && (now.sequence < last.sequence || (last.endedAt !== null && now.status !== last.status));
      if (isOlder) this.#caller.shop.auditor.report(`${saleId} was ${last?.status}, and later ${now.status}`);
      last = now;
    }
  }

  async #cancel(saleId: string, { cancelAfterMs }: DrivenSale): Promise<void> {
    if (cancelAfterMs === null) return;
    await this.#caller.shop.wait(cancelAfterMs);
    const key = `key-${this.#caller.requestId()}`;
    const cancel = this.#caller.keyed(key, async ({ terminalSales }, call) => {
      const write = call.storing(() => ({ status: 200, body: null }));
      const sale = await terminalSales.cancel(this.#owner, saleId, { by, write });
      return { status: sale ? 200 : 404, body: null };
    });
    await this.#call(cancel);
  }

  /** How the terminal handles the command: late, twice, or not at all. */
  async #takeUp(saleId: string, action: DrivenSale): Promise<void> {
    const { shop } = this.#caller;
    const started = await this.#call(services => services.terminalSales.find(this.#owner, saleId));
    if (!started) return;
    // The machine was enrolled again since the sale named its serial, so it is another terminal now.
    const { terminalId } = started;
    await shop.wait(action.pickUpAfterMs);
    const command = await this.#commandFor(saleId, terminalId);
    if (!command || action.customer === 'nobody') return;
    const terminal = { businessId: this.#owner.businessId, terminalId };
    const outcome = action.customer === 'busy' ? 'busy' : 'taken';
    const times = action.isTwice ? [0, 1] : [0];
    let proceeds: boolean | undefined;
    for (const _ of times)
      proceeds = await this.#call(({ terminalSales }) =>
        terminalSales.commands.acknowledge(terminal, command.commandId, outcome),
      );
    if (proceeds !== true) return;
    const report = async (sequence: number, what: Report) => {
      let isOver: boolean | undefined;
      for (const _ of times)
        isOver = await this.#call(({ terminalSales }) =>
          terminalSales.commands.report(terminal, saleId, { sequence, report: what }),
        );
      return isOver;
    };
    await report(1, { kind: 'stage', stage: 'awaiting_card' });
    await shop.wait(action.cardAfterMs);
    if (action.customer === 'leaves') await report(2, { kind: 'ended', reason: 'customer_cancelled' });
    // A terminal that learns late of the sale's end still requests the authorisation, which the service must refuse.
    else if ((await report(2, { kind: 'stage', stage: 'card_read' })) !== true || action.isTwice)
      await this.#charge(saleId, terminalId, { ...action, report });
  }

  /** The open command that starts the sale; undefined when the sale has ended or was taken already. */
  async #commandFor(saleId: string, terminalId: string): Promise<TerminalCommand | undefined> {
    const before = await this.#call(services => services.terminalSales.find(this.#owner, saleId));
    const open = await this.#call(services => services.terminalSales.commands.open(terminalId));
    const after = await this.#call(services => services.terminalSales.find(this.#owner, saleId));
    const command = open?.find(one => one.saleId === saleId && one.kind === 'start_sale');
    // Clocks of processes differ by some seconds.
    const isOpen = before?.status === 'PENDING' && after?.status === 'PENDING';
    const { world, auditor } = this.#caller.shop;
    if (open && isOpen && world.now() < after.expiresAt - 5_000 && !command)
      auditor.report(`the terminal is not sent ${saleId}`);
    return command;
  }

  async #charge(
    saleId: string,
    terminalId: string,
    { amountMinor, ending, report }: DrivenSale & { report: (sequence: number, what: Report) => Promise<unknown> },
  ): Promise<void> {
    const { shop } = this.#caller;
    const sale = { businessId: this.#owner.businessId, terminalId, saleId };
    const taking = this.#caller.callWithRetries(instance =>
      shop.world.authorise({ amount: gbp(amountMinor), terminalId, saleId }, instance),
    );
    if (ending === 'complete') {
      const taken = await taking;
      // The report that the sale ended may arrive before the authorisation.
      await report(3, { kind: 'ended', reason: 'completed' });
      if (taken?.ok && taken.value.status === 'unsettled')
        await this.#call(({ payments }) => payments.completeSale(sale));
    }
    // After a restart the terminal looks up the outcome, and cancels the sale if the bank does not answer.
    if (ending === 'reverseLate') {
      await shop.wait(15_000);
      await report(3, { kind: 'stage', stage: 'unknown_outcome' });
    }
    const found = await this.#call(({ payments }) => payments.sale(sale));
    const reason = ending === 'reverseLate' && found?.status === 'pending' ? 'outcome_unknown' : 'card_refused';
    if (ending === 'reverse' || ending === 'reverseLate')
      await this.#call(({ payments }) => payments.reverseSale(sale, reason));
    if (reason === 'outcome_unknown') await report(4, { kind: 'ended', reason: 'staff_cancelled' });
    await taking;
  }
}
