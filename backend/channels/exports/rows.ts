import type { ActorColumns } from '@florin/shared/actor.ts';
import type { ExportedList } from '@florin/shared/contracts/api-v1/exports.ts';
import type { Instant } from '@florin/shared/ports.ts';

export type ExportRow = Omit<ActorColumns, 'terminalId'> & {
  id: string;
  businessId: string;
  list: ExportedList;
  filtersJson: string;
  format: 'csv' | 'json';
  status: 'running' | 'done' | 'failed';
  /** The list's cursor after the last chunk; null before the first. */
  cursor: string | null;
  chunkCount: number;
  rowCount: number;
  /** When it may be worked on, again if its worker was lost; null once it has ended. */
  nextPollAt: Instant | null;
  /** How often it was worked on since its last chunk. */
  pollCount: number;
  createdAt: Instant;
  finishedAt: Instant | null;
};

/** A part of a file, in its order. */
export type ExportChunkRow = { exportId: string; number: number; text: string };
