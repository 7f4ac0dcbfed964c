import type { InLanguages } from '@florin/shared/languages.ts';
import { german } from './de.ts';
import { english } from './en.ts';
import type { NotificationWords } from './notification-words.ts';

/** What the recipients of a business are told. */
export const notificationWords: InLanguages<NotificationWords> = { en: english, de: german };
