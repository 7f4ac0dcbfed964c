import type { CustomerOutcome, SaleStage } from '../../ipc/view.ts';

type Words = { readonly title: string; readonly detail: string };

/** Every word a customer reads on a terminal in kiosk mode. */
export type CustomerMessages = {
  readonly idle: {
    readonly ready: string;
    readonly unavailable: Words;
    /** Opens what only a manager can go on with. */
    readonly staff: string;
  };
  readonly toPay: string;
  readonly cancel: string;
  readonly cancelling: string;
  readonly cannotCancel: string;
  readonly done: string;
  readonly reference: (reference: string) => string;
  readonly stages: Readonly<Record<SaleStage, Words>>;
  readonly outcomes: Readonly<Record<CustomerOutcome, Words>>;
};
