import type { Database } from '../../foundation/database/database.ts';
import type { BusinessLogoRow } from './rows.ts';
import { logoByHash, logoOfBusiness } from './store.ts';

/** A logo without its content. */
export type LogoPicture = Pick<BusinessLogoRow, 'hash' | 'mediaType' | 'widthPx' | 'heightPx'>;

/** The logos of businesses, for customers' pages. */
export type Logos = {
  /** Undefined if the business has none. */
  of(businessId: string): Promise<LogoPicture | undefined>;
  /** The picture, while it is the business's current one of that type. */
  content(logo: {
    readonly businessId: string;
    readonly hash: string;
    readonly mediaType: LogoPicture['mediaType'];
  }): Promise<Uint8Array | undefined>;
};

/** Reads the logos of businesses. */
export function logos({ database }: { readonly database: Database }): Logos {
  return {
    of: businessId => database.first(logoOfBusiness, { businessId }),
    async content(logo) {
      const found = await database.first(logoByHash, logo);
      return found && Buffer.from(found.contentBase64, 'base64');
    },
  };
}
