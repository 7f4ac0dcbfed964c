import type { Dialect } from './dialect.ts';
import type { PrinterLanguage } from './encode.ts';
import { escPos } from './esc-pos.ts';
import { starPrnt } from './star-prnt.ts';

export const dialects: Readonly<Record<PrinterLanguage, Dialect>> = { 'esc-pos': escPos, 'star-prnt': starPrnt };
