import { existsSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

const megabyte = 1024 * 1024;
/** A sale that began with this much left can be finished, whatever else writes to the disk meanwhile. */
const roomForSaleBytes = 16 * megabyte;
const reserveBytes = megabyte;

/** The free space of the disk that holds `file`. */
export function freeBytesOf(file: string): number {
  const { bavail, bsize } = statfsSync(dirname(file));
  return bavail * bsize;
}

/** Whether there is room for the records of another sale. */
export function hasRoomForSale(freeBytes: number): boolean {
  return freeBytes >= roomForSaleBytes;
}

/**
 * Keeps space beside the database that is given up once the disk is full, so that the terminal still starts and
 * completes what it had begun.
 */
export function keepReserve(file: string, freeBytes: number): void {
  const reserve = `${file}.reserve`;
  if (freeBytes < reserveBytes) rmSync(reserve, { force: true });
  else if (!existsSync(reserve) && hasRoomForSale(freeBytes))
    writeFileSync(reserve, Buffer.alloc(reserveBytes), { mode: 0o600 });
}
