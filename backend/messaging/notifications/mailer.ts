export type Mail = {
  /** The same on every attempt, so that receivers recognise a duplicate. */
  readonly id: string;
  readonly recipient: string;
  readonly subject: string;
  readonly text: string;
  /** The same as HTML. */
  readonly html?: string | null;
};

export type MailResult =
  | { readonly kind: 'sent' }
  /** Permanent: the server does not accept the address or message. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** Temporary: may be accepted later. */
  | { readonly kind: 'not_sent'; readonly reason: string };

/** Sends e-mails through a mail server. */
export interface Mailer {
  send(mail: Mail): Promise<MailResult>;
  close(): void;
}
