import { basename } from 'node:path';
import type { AppUpdater } from 'electron-updater';
import { GenericProvider } from 'electron-updater/out/providers/GenericProvider.js';
import type { ProviderRuntimeOptions } from 'electron-updater/out/providers/Provider.js';
import { isSigned } from '../update-signature.ts';

/** Where updates are, and the key whose signature each offer must have. */
export type UpdateSource = { readonly url: string; readonly publicKey: string };

/**
 * The generic provider of electron-updater, which trusts the web server, with a signature: `latest….yml` is read no further
 * unless `latest….yml.sig` is its signature. Its checksums then hold for the packages. An earlier offer stays valid: it is the way back.
 */
export function signedFeed({ url, publicKey }: UpdateSource): Parameters<AppUpdater['setFeedURL']>[0] {
  class SignedProvider extends GenericProvider {
    constructor(_options: unknown, updater: AppUpdater, runtime: ProviderRuntimeOptions) {
      super({ provider: 'generic', url }, updater, runtime);
    }

    protected override async httpRequest(address: URL): Promise<string | null> {
      const content = (await super.httpRequest(address)) ?? '';
      const fileName = basename(address.pathname);
      const signature = await this.#signature(address, fileName);
      if (!isSigned({ fileName, content }, { publicKey, signature }))
        throw new Error(`the signature of ${fileName} is not by the key of updates`);
      return content;
    }

    async #signature(address: URL, fileName: string): Promise<string> {
      const at = new URL(address);
      at.pathname += '.sig';
      try {
        return (await super.httpRequest(at)) ?? '';
      } catch (error) {
        throw new Error(`the signature of ${fileName} could not be read`, { cause: error });
      }
    }
  }
  return { provider: 'custom', updateProvider: SignedProvider as never };
}
