export type Mail = {
  /** The same at every attempt, so that one that was sent twice is recognised. */
  readonly id: string;
  readonly recipient: string;
  readonly subject: string;
  readonly text: string;
};

export type MailResult =
  | { readonly kind: 'sent' }
  /** For good: such an address, or such a message, is not taken. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** May be taken later. */
  | { readonly kind: 'not_sent'; readonly reason: string };

/** Hands e-mails to a mail server. */
export interface Mailer {
  send(mail: Mail): Promise<MailResult>;
  close(): void;
}
