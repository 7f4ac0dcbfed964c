import type { InputFor } from '../api/call.ts';

/** What the service verifies. */
export type PasskeyAnswer = InputFor<'addPasskey'>['body']['passkey'];

/** Whether this browser can make and use passkeys here: they belong to a name, never to a number. */
export function canUsePasskeys(): boolean {
  const isNamed = !/^[\d.]+$|^\[/.test(location.hostname);
  return isNamed && typeof PublicKeyCredential !== 'undefined' && 'parseRequestOptionsFromJSON' in PublicKeyCredential;
}

/** Asks the browser for a passkey; undefined where the user cancelled, or has none here. */
export async function passkeyAnswer(options: object): Promise<PasskeyAnswer | undefined> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options as PublicKeyCredentialRequestOptionsJSON);
  return answered(navigator.credentials.get({ publicKey }));
}

/** Has the browser make a passkey; undefined where the user cancelled, or has one on this device. */
export async function newPasskey(options: object): Promise<PasskeyAnswer | undefined> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options as PublicKeyCredentialCreationOptionsJSON);
  return answered(navigator.credentials.create({ publicKey }));
}

async function answered(asked: Promise<Credential | null>): Promise<PasskeyAnswer | undefined> {
  const credential = await asked.catch((error: unknown) => {
    if (error instanceof DOMException) return null;
    throw error;
  });
  return credential instanceof PublicKeyCredential
    ? ({ ...credential.toJSON() } as unknown as PasskeyAnswer)
    : undefined;
}
