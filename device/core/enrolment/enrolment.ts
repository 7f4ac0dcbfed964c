import { enrolTerminal, type TerminalConfiguration } from '@florin/shared/contracts/device-v1/enrolment.ts';
import type { Random } from '@florin/shared/ports.ts';
import { canonicalEnrolment } from '@florin/shared/signing/canonical.ts';
import { type KeyPair, keyPairOf, signText } from '@florin/shared/signing/ed25519.ts';
import type { SaleReport, Store } from '../store/store.ts';
import type { Connection } from '../sync/connection.ts';
import type { EnrolmentNotice } from '../words.ts';

export type Enrolled = {
  readonly configuration: TerminalConfiguration;
  /** Whether the terminal belonged to another business before. */
  readonly isOtherBusiness: boolean;
};

/** The identity of this terminal: its serial number, its key pair and its token. */
export interface Enrolment {
  isEnrolled(): boolean;
  token(): string | undefined;
  deviceKey(): KeyPair;
  serial(): string;
  /**
   * Enrols with a code; returns the configuration, or a notice if the code was refused. `unresolved` is the report that
   * must be stored for the current sale if the terminal is moved to another business.
   */
  enrol(code: string, unresolved: () => SaleReport | undefined): Promise<Enrolled | { notice: EnrolmentNotice }>;
  /** The service has removed this terminal. */
  forget(): void;
}

/** Reads the token from the store. The serial number and the key pair are created and stored when first needed. */
export function createEnrolment(options: { store: Store; connection: Connection; random: Random }): Enrolment {
  const { store, connection, random } = options;
  // Decrypted once, because every request needs the token and decryption can be slow.
  let token = store.secret('deviceToken');
  let key: KeyPair | undefined;

  function serial(): string {
    const known = store.serial();
    if (known) return known;
    const made = `FL-${Buffer.from(random.bytes(5)).toString('hex').toUpperCase()}`;
    store.saveSerial(made);
    return made;
  }

  /** The key pair is stored before its public half is sent. */
  function deviceKey(): KeyPair {
    if (key) return key;
    const stored = store.secret('deviceKey');
    const seed = stored === undefined ? random.bytes(32) : Buffer.from(stored, 'base64');
    if (stored === undefined) store.saveSecret('deviceKey', Buffer.from(seed).toString('base64'));
    key = keyPairOf(seed);
    return key;
  }

  return {
    isEnrolled: () => token !== undefined && store.configuration() !== undefined,
    token: () => token,
    deviceKey,
    serial,
    async enrol(code, unresolved) {
      const { publicKey, privateKey } = deviceKey();
      const signed = { code: code.trim().toUpperCase(), serial: serial(), publicKey };
      const signature = signText(privateKey, canonicalEnrolment(signed));
      const response = await connection.call(enrolTerminal, { body: { ...signed, signature } });
      if (response.kind === 'answered') {
        const { deviceToken, configuration } = response.body;
        const before = store.configuration()?.business.id;
        store.enrol({ token: deviceToken, configuration, unresolved: unresolved() });
        token = deviceToken;
        return { configuration, isOtherBusiness: before !== undefined && before !== configuration.business.id };
      }
      if (response.kind === 'not_reached') return { notice: 'notReached' };
      if (response.kind === 'unknown') return { notice: 'unanswered' };
      return { notice: response.status === 429 ? 'slowDown' : 'invalid' };
    },
    forget() {
      token = undefined;
      store.forgetEnrolment();
    },
  };
}
