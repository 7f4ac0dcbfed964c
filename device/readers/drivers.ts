import { z } from 'zod';
import { lineDriver } from './line/driver.ts';
import type { ReaderDriver } from './reader.ts';
import { zvtDriver } from './zvt/driver.ts';

/** Every driver of the product; README.md says how to add one. The first is the default. */
const readerDrivers = [lineDriver, zvtDriver] as const satisfies readonly ReaderDriver[];

export const readerProtocols = readerDrivers.map(({ name }) => name);
export const usualReaderProtocol: string = readerDrivers[0].name;

/** As readers have it that ask their till for one. */
export const readerPassword = z.string().regex(/^\d{6}$/, { error: 'must be six digits' });

/** The driver of the protocol with this name. */
export function readerDriver(protocol: string): ReaderDriver {
  const driver = readerDrivers.find(({ name }) => name === protocol);
  if (!driver) throw new Error(`there is no reader driver ${protocol}`);
  return driver;
}
