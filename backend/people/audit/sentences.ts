import { formatSats } from '@florin/shared/bitcoin.ts';
import type { ExportedList } from '@florin/shared/contracts/api-v1/exports.ts';
import { exponentOf, formatMoney, money } from '@florin/shared/money.ts';
import { roleNameIn } from '@florin/shared/role-names.ts';
import type { Chosen } from '../../foundation/language.ts';
import type { AuditView } from './store.ts';
import type { AuditWords, ByChange, NamelessActor, SettingChange, SettingName, Told } from './words/audit-words.ts';
import { auditWords } from './words/words.ts';

type Detail = Readonly<Record<string, unknown>>;

/** What an entry says: its sentence is made of these columns. */
export type ToldEntry = Pick<
  AuditView,
  'kind' | 'actorKind' | 'actorName' | 'status' | 'reason' | 'amountMinor' | 'detailJson'
>;

/** What an entry says, as one sentence in this language. What an old or unknown detail lacks is left out. */
export function sentenceOf(entry: ToldEntry, chosen: Chosen): string {
  const words = auditWords[chosen.language];
  const told = toldOf(entry, words, chosen);
  const { kind } = entry;
  if (kind === 'setting_changed') return `${settingChange(told, words)}.`;
  if (kind in words.changes) return `${changeOf(words.changes[kind as keyof ByChange], told)}.`;
  return `${words.sentences[kind as keyof AuditWords['sentences']](told)}.`;
}

function toldOf(entry: ToldEntry, words: AuditWords, { language, locale }: Chosen): Told {
  const { actorKind, actorName, status, reason } = entry;
  const detail = JSON.parse(entry.detailJson) as Detail;
  const nameless: NamelessActor = actorKind === 'operator' || actorKind === 'system' ? actorKind : 'nobody';
  const { sale } = detail;
  const roleId = textOf(detail.roleId);
  return {
    who: actorName ?? words.actors[nameless],
    isKnown: actorName !== null || nameless !== 'nobody',
    status,
    reason,
    staff: memberOf(detail.staff, 'name'),
    requestedBy: memberOf(detail.requestedBy, 'name'),
    amount: amountOf(
      { amountMinor: entry.amountMinor, currency: memberOf(sale, 'currency') },
      { amountMinor: detail.amountMinor, currency: detail.currency },
      locale,
    ),
    sats: typeof detail.amountSats === 'number' ? formatSats(detail.amountSats, locale) : '',
    invoiceNumber: memberOf(sale, 'invoiceNumber'),
    name: textOf(detail.name),
    change: textOf(detail.change),
    role: roleNameIn(language, { id: roleId, name: roleId }),
    exportedList: words.lists[textOf(detail.list) as ExportedList] ?? textOf(detail.list),
    text: fact => textOf(detail[fact]),
    missingPermissions: listOf(detail.missingPermissions).map(words.permissionName),
    list: fact => listOf(detail[fact]),
    value: fact => detail[fact],
  };
}

type Amount = { readonly amountMinor: unknown; readonly currency: unknown };

/** Of a check, in the entry and its sale; otherwise in the detail. */
function amountOf(inSale: Amount, inDetail: Amount, locale: string): string {
  const { amountMinor, currency } = typeof inSale.amountMinor === 'number' ? inSale : inDetail;
  if (typeof amountMinor !== 'number' || typeof currency !== 'string') return '';
  return exponentOf(currency) === undefined ? '' : formatMoney(money(amountMinor, currency), locale);
}

/** The general sentence, where the change is none of those known. */
function changeOf(sentences: ByChange[keyof ByChange], told: Told): string {
  const known = sentences as Readonly<Record<string, (told: Told) => string>>;
  const general = known.changed ?? known.profile ?? known.role_changed;
  const sentence = Object.hasOwn(known, told.change) ? known[told.change] : general;
  return sentence?.(told) ?? told.who;
}

function settingChange(told: Told, words: AuditWords): string {
  if (Object.hasOwn(words.settings, told.change)) return words.settings[told.change as SettingChange](told);
  const setting = told.text('setting') || told.change;
  const isKnown = Object.hasOwn(words.settingNames, setting);
  const name = isKnown ? words.settingNames[setting as SettingName] : words.setting.unknown(setting);
  const value = told.value('value');
  if (typeof value === 'boolean') return words.setting.switched(told.who, name, value);
  return value === null ? words.setting.removed(told.who, name) : words.setting.changed(told.who, name, textOf(value));
}

function memberOf(value: unknown, name: string): string {
  return textOf((value as Detail | null | undefined)?.[name]);
}

function listOf(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
