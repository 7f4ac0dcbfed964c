import type { Language } from '@florin/shared/languages.ts';
import { german } from '../refusal-words/de.ts';
import type { RefusalWords } from '../refusal-words/refusal-words.ts';
import type { Issue, Problem } from './problems.ts';

/** Refusals are written in English where they happen; these are the other languages of the portal. */
const translations: Readonly<Record<Exclude<Language, 'en'>, RefusalWords>> = { de: german };

/** A refusal as a reader of this language is told of it: for people, so what programs read of it stays as it is. */
export function problemIn(language: Language, problem: Problem): Problem {
  if (language === 'en') return problem;
  const words = translations[language];
  const { metadata = {} } = problem;
  const { reason, issues, missingPermissions } = metadata;
  const byReason = Object.hasOwn(words.reasons, String(reason))
    ? words.reasons[reason as keyof RefusalWords['reasons']]
    : undefined;
  const told = (issues as readonly Issue[] | undefined)?.map(issue => ({
    ...issue,
    // An issue with a reason says the same as the refusal.
    message: byReason ?? issueIn(language, issue.message) ?? words.invalid,
  }));
  const ofPermissions = Array.isArray(missingPermissions) ? words.missingPermissions(missingPermissions) : undefined;
  const [first] = told ?? [];
  const ofIssue = first && `${first.path}${first.path === '' ? '' : ': '}${first.message}`;
  return {
    ...problem,
    message: byReason ?? ofPermissions ?? ofIssue ?? words.statuses[problem.status] ?? problem.message,
    ...(problem.metadata === undefined
      ? {}
      : { metadata: told === undefined ? metadata : { ...metadata, issues: told } }),
  };
}

/** What is wrong with a field in another language; undefined where it has no words for it. */
export function issueIn(language: Exclude<Language, 'en'>, message: string): string | undefined {
  const { issues } = translations[language];
  if (Object.hasOwn(issues, message)) return issues[message];
  for (const { pattern, words } of templatesOf(language)) {
    const found = pattern.exec(message);
    if (!found) continue;
    const values = found.slice(1);
    return words.replaceAll('{}', () => values.shift() ?? '');
  }
  return undefined;
}

type Template = { readonly pattern: RegExp; readonly words: string };
const templates = new Map<Language, readonly Template[]>();

/** Those that say most come first: `must be {}` fits what many others do. */
function templatesOf(language: Exclude<Language, 'en'>): readonly Template[] {
  const known = templates.get(language);
  if (known) return known;
  const made = Object.entries(translations[language].issues)
    .filter(([english]) => english.includes('{}'))
    .toSorted(([one], [other]) => other.length - one.length)
    .map(([english, words]) => ({
      pattern: new RegExp(`^${english.split('{}').map(RegExp.escape).join('(.+?)')}$`),
      words,
    }));
  templates.set(language, made);
  return made;
}
