import type { InputFor } from '../../api/call.ts';

type Settings = InputFor<'setBitcoinBackend'>['body'];

/** What was typed about a node, as the operation takes it. Empty fields are left out. */
export function settingsOf(kind: 'lnd' | 'phoenixd', typed: (name: string) => string): Settings {
  const url = typed('url');
  if (kind === 'lnd') {
    const certificate = typed('certificate');
    return {
      adapter: kind,
      config: {
        url,
        ...(certificate === '' ? {} : { certificate }),
        ...(typed('privateHints') === '' ? {} : { privateHints: true }),
      },
      secrets: { macaroon: typed('macaroon') },
    };
  }
  const [publicKey, script] = [typed('publicKey'), typed('script')];
  const sources = typed('sources')
    .split(/\s+/)
    .filter(source => source !== '');
  const onChain = { publicKey, sources, ...(script === '' ? {} : { script }) };
  return {
    adapter: kind,
    config: { url, ...(publicKey === '' ? {} : { onChain }) },
    secrets: { password: typed('password') },
  };
}

/** A present setting as it is shown in its field; empty if there is none. */
export const shown = (setting: unknown) => (typeof setting === 'string' ? setting : '');
