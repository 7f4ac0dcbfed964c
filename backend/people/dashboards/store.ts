import { columnsOf, statement } from '../../foundation/database/database.ts';
import { rowFor } from '../../foundation/database/statements.ts';
import type { DashboardRow } from './rows.ts';

export const dashboardOf = statement<{ businessId: string; ownerId: string }, DashboardRow>(({ db }, arg) =>
  db
    .selectFrom('dashboards')
    .selectAll()
    .where('businessId', '=', arg('businessId'))
    .where('ownerId', '=', arg('ownerId')),
);

export const saveDashboard = statement<DashboardRow, unknown>(({ db }, arg) =>
  db
    .insertInto('dashboards')
    .values(rowFor(arg, 'dashboards'))
    .onConflict(conflict =>
      conflict.columns(['businessId', 'ownerId']).doUpdateSet(columnsOf(arg, ['cardsJson', 'changedAt'])),
    ),
);
