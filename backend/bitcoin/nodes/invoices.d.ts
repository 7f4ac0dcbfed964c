/** The used parts of the package, which ships no types. */
declare module 'invoices' {
  export type PaymentRequest = {
    readonly created_at: string;
    readonly description?: string;
    readonly description_hash?: string;
    readonly destination: string;
    readonly expires_at: string;
    /** `type` is absent for unknown features. */
    readonly features?: readonly { readonly bit: number; readonly is_required: boolean; readonly type?: string }[];
    /** The payment hash. */
    readonly id: string;
    /** Absent if the payer chooses the amount. */
    readonly mtokens?: string;
    /** `bitcoin`, `testnet`, `signet`, `regtest`; others for other chains. */
    readonly network: string;
    /** Blinded paths to the payee. */
    readonly paths?: readonly object[];
    /** The payment secret. */
    readonly payment?: string;
  };
  /** Verifies checksum and signature. @throws for an invalid BOLT11 payment request */
  export function parsePaymentRequest(args: { readonly request: string }): PaymentRequest;

  export function createUnsignedRequest(args: {
    readonly created_at: string;
    readonly description?: string;
    readonly description_hash?: string;
    readonly destination?: string;
    readonly expires_at: string;
    readonly cltv_delta?: number;
    readonly features?: readonly { readonly bit: number }[];
    readonly id: string;
    readonly mtokens?: string;
    readonly network: string;
    readonly payment?: string;
  }): { readonly hash: string; readonly hrp: string; readonly tags: readonly number[] };

  export function createSignedRequest(args: {
    readonly destination: string;
    readonly hrp: string;
    readonly signature: string;
    readonly tags: readonly number[];
  }): { readonly request: string };
}
