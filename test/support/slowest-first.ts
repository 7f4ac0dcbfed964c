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

/** The order of test files. */
export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const at = slowest.findIndex(file => moduleId.endsWith(`/${file}`));
      return at === -1 ? slowest.length : at;
    };
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}
