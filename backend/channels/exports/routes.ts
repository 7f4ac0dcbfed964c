import {
  createExport,
  type ExportRecord,
  exportedLists,
  getExport,
  getExportFile,
} from '@florin/shared/contracts/api-v1/exports.ts';
import type { PermissionRule } from '@florin/shared/contracts/contract.ts';
import type { Permission } from '@florin/shared/permissions.ts';
import { actorOf, type MerchantCaller } from '../../foundation/http/callers.ts';
import { fail, type Route, respond, respondFile, route } from '../../foundation/http/route.ts';
import type { ExportRow } from './rows.ts';
import { type Exports, keptForMs, type Page, type ReadPage } from './service.ts';

/** Exports of lists: asked for, watched and downloaded by the same key or person, while they may read the list. */
export function exportRoutes(exports: Exports): Route[] {
  const unknown = () => fail(404, 'export_not_found', 'There is no such export');

  const requested = (row: ExportRow) => respond(202, recordOf(row));
  async function ofCaller(caller: MerchantCaller, id: string): Promise<ExportRow | undefined> {
    const row = await exports.byId({ businessId: caller.businessId, id, by: actorOf(caller) });
    return row && exportedLists[row.list].permissions.every(rule => holds(caller.permissions, rule)) ? row : undefined;
  }

  return [
    route(
      createExport,
      async ({ caller, body, call }) => {
        const { businessId } = caller;
        const write = call.storing(requested);
        const made = await exports.request({ businessId, ...body, by: actorOf(caller), write });
        if (made.ok) return requested(made.value);
        return fail(409, made.refusal.kind, 'Several exports of this business are running: wait for one of them');
      },
      {
        async current({ id }, { caller }) {
          const row = await ofCaller(caller, id);
          return row && requested(row);
        },
      },
    ),

    route(getExport, async ({ caller, params }) => {
      const row = await ofCaller(caller, params.id);
      return row ? respond(200, recordOf(row)) : unknown();
    }),

    route(getExportFile, async ({ caller, params }) => {
      const row = await ofCaller(caller, params.id);
      if (!row) return unknown();
      if (row.status === 'running') return fail(409, 'export_not_finished', 'The file is not complete yet');
      if (row.status === 'failed') return fail(409, 'export_failed', 'The file could not be written: export again');
      return respondFile(200, exports.contentOf(row), `${row.list}-${iso(row.createdAt).slice(0, 10)}.${row.format}`);
    }),
  ];
}

const pageLength = 100;

/** Reads the pages of lists through their own operations, so that an export has what its list answers. */
export function listReader(routes: () => readonly Route[]): ReadPage {
  return async ({ businessId, list, filtersJson }, cursor) => {
    const contract = exportedLists[list];
    const served = routes().find(each => each.contract.name === contract.name);
    if (!served) throw new Error(`no module serves ${contract.name}`);
    const filters = JSON.parse(filtersJson) as Readonly<Record<string, string>>;
    const query = contract.query.parse({
      ...filters,
      limit: String(pageLength),
      ...(cursor === null ? {} : { cursor }),
    });
    const caller = { kind: 'apiKey', businessId, apiKeyId: '', permissions: new Set() };
    // Files have English words, as their columns do.
    const answer = await served.handler({ caller, query, languages: () => ['en'] } as never);
    if ('error' in answer) throw new Error(`${contract.name}: ${answer.error.message}`);
    return answer.body as Page;
  };
}

function holds(permissions: ReadonlySet<Permission>, rule: PermissionRule): boolean {
  return typeof rule === 'string' ? permissions.has(rule) : rule.anyOf.some(each => permissions.has(each));
}

function recordOf(row: ExportRow): ExportRecord {
  const { id, list, filtersJson, format, status, rowCount, createdAt, finishedAt } = row;
  return {
    id,
    list,
    filters: JSON.parse(filtersJson) as ExportRecord['filters'],
    format,
    status,
    rowCount,
    createdAt: iso(createdAt),
    finishedAt: finishedAt === null ? null : iso(finishedAt),
    expiresAt: finishedAt === null ? null : iso(finishedAt + keptForMs),
  };
}

function iso(at: number): string {
  return new Date(at).toISOString();
}
