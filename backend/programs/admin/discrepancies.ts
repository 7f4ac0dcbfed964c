import { operator } from '@florin/shared/actor.ts';
import { resolutionBody } from '@florin/shared/contracts/api-v1/discrepancies.ts';
import { z } from 'zod';
import { pageBefore } from '../../foundation/http/pages.ts';
import { discrepancyRecordOf } from '../../money/discrepancies/discrepancy.ts';
import { resolutionProblems } from '../../money/discrepancies/problems.ts';
import { businessFlag, command, done, failed, noBusiness, theBusiness } from './command.ts';

const most = 100;

export const discrepancyList = command({
  summary: 'List what the gateway and our records disagree about',
  flags: {
    business: businessFlag,
    status: { about: 'open (default) or resolved' },
  },
  input: z.object({
    business: z.string().optional(),
    status: z.enum(['open', 'resolved'], { error: 'must be open or resolved' }).default('open'),
  }),
  async run(input, backend) {
    const businessId = await theBusiness(backend, input.business);
    if (businessId === undefined) return noBusiness(input.business);
    const { status } = input;
    const filter = {
      businessId,
      status,
      kind: null,
      paymentId: null,
      ...pageBefore({ cursor: { list: 'discrepancies', after: null }, limit: most }),
    };
    const discrepancies = (await backend.services.discrepancies.list(filter)).map(row => discrepancyRecordOf(row));
    const lines = discrepancies.flatMap(({ id, kind, needs, createdAt, paymentId, refundId, message }) => [
      `${id}  ${createdAt}  ${kind}  ${refundId ?? paymentId ?? 'of a card reader'}  needs ${needs}`,
      `    ${message}`,
    ]);
    return done({ discrepancies }, lines.length === 0 ? [`There are no ${status} discrepancies`] : lines);
  },
});

export const discrepancyResolve = command({
  summary: 'Resolve a discrepancy on evidence',
  flags: {
    business: businessFlag,
    id: { about: 'Id of the discrepancy' },
    outcome: { about: 'Which side is right: gateway_right or records_right' },
    evidence: { about: 'What you saw, and where; kept in the audit log. An acknowledgement needs none' },
  },
  input: z.object({ business: z.string().optional(), id: z.string(), ...resolutionBody.shape }),
  async run(input, backend) {
    const businessId = await theBusiness(backend, input.business);
    if (businessId === undefined) return noBusiness(input.business);
    const { id, outcome, evidence } = input;
    const resolved = await backend.services.discrepancies.resolve({ businessId, id, outcome, evidence, by: operator });
    if (!resolved.ok) return failed(`${id} was not resolved: ${resolutionProblems[resolved.refusal.kind].message}`);
    return done({ discrepancy: discrepancyRecordOf(resolved.value) }, [`Resolved ${id}: ${outcome}`]);
  },
});
