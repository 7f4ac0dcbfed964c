import { accentColour } from '@florin/shared/contracts/accent-colour.ts';
import type { CustomerLanguage } from '@florin/shared/languages.ts';
import { acceptedBy } from '../../foundation/language.ts';
import type { LogoPicture } from '../../people/businesses/logos.ts';
import type { Business } from '../../people/businesses/service.ts';
import type { Assets } from './assets.ts';
import { type WordTables, type Writing, writingFor } from './writing.ts';

/** Who reads a page. */
export type Reader = {
  /** Chosen on the page; it is in the page's address, which works in frames and without cookies. */
  readonly lang?: CustomerLanguage | undefined;
  /** What the browser says, best first (Accept-Language). */
  readonly accepted: readonly string[];
};

type Shop = Pick<Business, 'id' | 'name' | 'accentColour' | 'locale' | 'timeZone'>;

/** The shop as its pages show it. */
export type Face = {
  readonly name: string;
  /** `#rrggbb`; null for the product's own colour. */
  readonly accentColour: string | null;
  readonly logo: { readonly url: string; readonly widthPx: number; readonly heightPx: number } | null;
};

/** How a page is shown: in which words, and with whose face. */
export type Presentation = {
  readonly assets: Assets;
  readonly writing: Writing;
  /** The language chosen on the page, which its links and forms keep. */
  readonly chosen: CustomerLanguage | undefined;
  /** Null where a page belongs to no shop. */
  readonly face: Face | null;
};

export type Present = (reader: Reader, shop?: Shop) => Promise<Presentation>;

const nowhere = { locale: 'en-GB', timeZone: 'UTC' };

/** Presents pages in these words, with the logos of their shops. */
export function presenter(options: {
  readonly tables: WordTables;
  readonly assets: () => Promise<Assets>;
  readonly logoOf: (businessId: string) => Promise<LogoPicture | undefined>;
}): Present {
  const { tables, assets, logoOf } = options;
  return async ({ lang: chosen, accepted }, shop) => {
    const [bundled, logo] = await Promise.all([assets(), shop && logoOf(shop.id)]);
    const writing = writingFor(tables, acceptedBy({ chosen, accepted }), shop ?? nowhere);
    return { assets: bundled, writing, chosen, face: shop === undefined ? null : faceOf(shop, logo) };
  };
}

function faceOf({ id, name, accentColour: colour }: Shop, logo: LogoPicture | undefined): Face {
  return {
    name,
    // One that does not stand out from the page, which older records may have, would hide the button.
    accentColour: accentColour.safeParse(colour).data ?? null,
    logo: logo ? { url: `/logos/${id}/${logo.hash}.${endings[logo.mediaType]}`, ...fitted(logo) } : null,
  };
}

const endings = { 'image/png': 'png', 'image/jpeg': 'jpg' } as const;

/** The room for a logo in CSS pixels. */
const room = { widthPx: 180, heightPx: 48 };

/** As large as fits into the room, so that the page knows its size before it is loaded. */
function fitted({ widthPx, heightPx }: LogoPicture) {
  const scale = Math.min(1, room.widthPx / widthPx, room.heightPx / heightPx);
  const scaled = (px: number) => Math.max(1, Math.round(px * scale));
  return { widthPx: scaled(widthPx), heightPx: scaled(heightPx) };
}

/** An address with the language that was chosen, if one was. */
export function inLanguage(address: string, { chosen }: Pick<Presentation, 'chosen'>): string {
  if (chosen === undefined) return address;
  const [path = '', fragment] = address.split('#');
  return `${path}${path.includes('?') ? '&' : '?'}lang=${chosen}${fragment === undefined ? '' : `#${fragment}`}`;
}
