import type { Module } from '../../foundation/module.ts';
import { paymentTimeline, type Timeline, type TimelinePorts } from './timeline.ts';

/** The timelines of payments. It only writes; payments/views.ts reads them. */
export function timelineModule(ports: TimelinePorts): Module<Timeline> {
  return { service: paymentTimeline(ports), routes: [], jobs: [] };
}
