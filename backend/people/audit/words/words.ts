import type { InLanguages } from '@florin/shared/languages.ts';
import type { AuditWords } from './audit-words.ts';
import { german } from './de.ts';
import { english } from './en.ts';

/** What is said about the entries of the audit log. */
export const auditWords: InLanguages<AuditWords> = { en: english, de: german };
