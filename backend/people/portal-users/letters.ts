import type { Language } from '@florin/shared/languages.ts';
import type { Instant } from '@florin/shared/ports.ts';
import { formatWithZone } from '@florin/shared/zone-names.ts';
import { type Chosen, chosenLanguage } from '../../foundation/language.ts';
import type { Letter } from '../../foundation/mail.ts';
import type { PortalUserRow } from './rows.ts';
import type { SecurityChange } from './words/account-words.ts';
import { accountWords } from './words/words.ts';

/** How a user reads: their language, and the region and time zone of their business. */
export type Reader = Chosen & { readonly timeZone: string };

/** Where a user works. */
export type WorkPlace = { readonly businessId: string; readonly locale: string; readonly timeZone: string };

/** The language that a user chose or last signed in with, that of the request, or that of their business. */
export function readerOf(
  { language }: Pick<PortalUserRow, 'language'>,
  accepted: readonly string[],
  places: readonly WorkPlace[],
): Reader {
  const { locale = 'en-GB', timeZone = 'UTC' } = places[0] ?? {};
  return { ...chosenLanguage(language === null ? accepted : [language], locale), timeZone };
}

/** The link to a new password. */
export function passwordResetLetter(url: string, { language }: Reader): Letter {
  return { language, ...accountWords[language].passwordReset(url) };
}

/** A sign-in from a browser that was not seen before. */
export function newDeviceLetter(
  facts: { readonly userAgent: string; readonly address: string; readonly at: Instant; readonly url: string },
  { language, locale, timeZone }: Reader,
): Letter {
  const { userAgent, address, url } = facts;
  const moment = formatWithZone(facts.at, {
    locale,
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZone,
  });
  const told = { browser: browserName(userAgent, language), address, at: moment, url };
  return { language, ...accountWords[language].newDevice(told) };
}

/** A change of a password or second factor. */
export function securityLetter(
  { change, passkeyName, url }: { readonly change: SecurityChange; readonly passkeyName: string; readonly url: string },
  { language }: Reader,
): Letter {
  const words = accountWords[language];
  return { language, ...words.securityChange(words.changes[change](passkeyName), url) };
}

/** A browser as people call it, from its User-Agent. */
export function browserName(userAgent: string, language: Language): string {
  const browsers = [/(Edg)\//, /(OPR)\//, /(Firefox)\//, /(SamsungBrowser)\//, /(Chrome)\//, /(Safari)\//];
  const names: Record<string, string> = { Edg: 'Edge', OPR: 'Opera', SamsungBrowser: 'Samsung Internet' };
  const found = browsers.map(browser => browser.exec(userAgent)?.[1]).find(name => name !== undefined);
  const systems = [/(Android)/, /(iPhone|iPad)/, /(Windows)/, /(Mac OS X)/, /(Linux)/];
  const system = systems.map(each => each.exec(userAgent)?.[1]).find(name => name !== undefined);
  const words = accountWords[language].browser;
  const browser = found === undefined ? words.unknown : (names[found] ?? found);
  return system === undefined ? browser : words.on(browser, system.replace('Mac OS X', 'macOS'));
}
