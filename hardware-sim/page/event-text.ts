import type { TimelineEvent } from '../timeline/timeline.ts';

/** An event as text, for what is copied and for bug reports: one line, and the bytes under it. */
export function eventText(event: TimelineEvent): string {
  const { frame } = event;
  return frame === undefined ? eventLine(event) : `${eventLine(event)}\n${' '.repeat(28)}${frame.raw}`;
}

/** An event as one line of text. */
export function eventLine({ at, lane, text, frame }: TimelineEvent): string {
  const arrow = frame === undefined ? '' : lane === 'terminal' ? ' →' : ' ←';
  return `${timeOf(at)}  ${(lane + arrow).padEnd(10)}  ${(frame?.name ?? '').padEnd(12)}  ${text}`;
}

/** The time of day in UTC, with milliseconds. */
export function timeOf(at: number): string {
  return new Date(at).toISOString().slice(11, 23);
}
