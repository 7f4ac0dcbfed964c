import type { ProblemTable } from '../../foundation/http/problems.ts';
import type { ResolutionRefusal } from './service.ts';

/** Errors of resolving a discrepancy. */
export const resolutionProblems = {
  discrepancy_not_found: { status: 404, message: 'There is no such discrepancy' },
  discrepancy_already_resolved: { status: 409, message: 'This discrepancy is already resolved' },
  evidence_required: {
    status: 400,
    path: 'evidence',
    message: 'must say what was seen and where, in at least 10 characters',
  },
  refund_not_decided: { status: 409, message: 'Its refund is not decided yet: resolve the refund on evidence first' },
  payment_not_decided: {
    status: 409,
    message: 'Its payment is not decided yet: resolve the payment on evidence first',
  },
} as const satisfies ProblemTable<ResolutionRefusal['kind']>;
