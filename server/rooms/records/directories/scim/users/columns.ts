import { userType } from '../schema.ts'
import type { Columns } from '../store/where.ts'

/** The columns by which users of one directory can be filtered and sorted. */
export const userColumnsOf = (tenantId: number, appId: string): Columns => ({
  type: userType,
  plain: {
    id: { sql: (db) => db`x.account_id`, kind: 'id', isIndexed: true },
    username: { sql: (db) => db`x.user_name`, kind: 'text', isIndexed: true },
    externalid: { sql: (db) => db`x.external_id`, kind: 'exact', isIndexed: true },
    active: { sql: (db) => db`x.is_active`, kind: 'flag', isIndexed: false },
    'meta.created': { sql: (db) => db`x.created_at`, kind: 'time', isIndexed: false },
    'meta.lastmodified': { sql: (db) => db`x.updated_at`, kind: 'time', isIndexed: false },
  },
  members: {
    name: 'groups',
    holds: (db, id) => db`exists (select 1 from grants m
      where m.tenant_id = ${tenantId} and m.app_id = ${appId} and m.entitlement_id = ${id} and m.account_id = x.account_id
        and m.source = 'directory' and m.ended_at is null)`,
    some: (db) => db`exists (select 1 from grants m
      where m.tenant_id = ${tenantId} and m.app_id = ${appId} and m.account_id = x.account_id
        and m.source = 'directory' and m.ended_at is null)`,
  },
  email: (db, value) => db`x.emails @> ${[value.toLowerCase()]}::text[]`,
})
