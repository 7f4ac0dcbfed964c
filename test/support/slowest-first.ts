import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Small files that take longest. In a new clone vitest starts large files first, and would leave these to one worker at the end. */
const slowest = [
  'test/crash/kills-postgres.test.ts',
  'test/crash/kills-sqlite.test.ts',
  'device/core/sales/kill.test.ts',
  'device/core/refunds/kill.test.ts',
  'test/scale/failover.test.ts',
  'test/trade-day/trade-day.test.ts',
  'test/contract/operations.test.ts',
  'test/conformance/reader/zvt.test.ts',
  'test/conformance/database/replica.test.ts',
  'backend/messaging/webhooks/crashes.test.ts',
];

/** The order of test files: those of a project follow one another, since a worker cannot go on with another one's. */
export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const projects = [...new Set(files.map(({ project }) => project.name))].toSorted();
    const rank = ({ moduleId, project }: TestSpecification) => {
      const at = slowest.findIndex(file => moduleId.endsWith(`/${file}`));
      return projects.indexOf(project.name) * 1_000 + (at === -1 ? slowest.length : at);
    };
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}
