import type { Module } from '../module.ts';
import { paymentTimeline, type Timeline, type TimelinePorts } from './timeline.ts';

export function timelineModule(ports: TimelinePorts): Module<Timeline> {
  return { service: paymentTimeline(ports), routes: [], jobs: [] };
}
