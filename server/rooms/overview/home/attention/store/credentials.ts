import type { Fragment, Reads } from '#kernel/sql.ts'
import type { Scope } from '../../scope.ts'
import { inConnectors } from '../../scope-store.ts'
import type { Found } from '../findings.ts'
import { few } from './few.ts'

export type Window = { at: Date; until: Date }

/** What ends within the window, and was meant to last longer than that: what lives for an hour would always be in it. */
const ends = (db: Reads, { at, until }: Window): Fragment => db`
  x.expires_at > ${at} and x.expires_at <= ${until}
  and x.expires_at - x.created_at > ${until.getTime() - at.getTime()} * interval '1 millisecond'`

/** API credentials that expire, the next first: everyone's, or those of some users. All living ones are read: a tenant has few. */
export const findEndingCredentials = (
  db: Reads,
  tenantId: number,
  of: 'all' | readonly string[],
  { namesPeople, ...window }: Window & { namesPeople: boolean },
): Promise<Found> =>
  few(
    db,
    db`select case when u.type = 'USER_TYPE_SERVICE' then x.user_id else '' end as "appId", x.credential_id as id,
        coalesce(nullif(x.display_name, ''), x.client_id) as name,
        ${namesPeople ? db`u.display_name` : db`''`} as about
      from credentials x join users u on u.tenant_id = ${tenantId} and u.user_id = x.user_id and u.deleted_at is null
      where x.tenant_id = ${tenantId} and x.deleted_at is null and ${ends(db, window)}
        ${of === 'all' ? db`` : db`and x.user_id = any(${of}::text[])`}
      order by x.expires_at, x.credential_id`,
  )

export const findEndingConnectorCredentials = (
  db: Reads,
  tenantId: number,
  scope: Scope,
  window: Window,
): Promise<Found> =>
  few(
    db,
    db`select c.app_id as "appId", c.connector_id as id, c.display_name as name, p.display_name as about
      from connector_credentials x
      join connectors c on c.tenant_id = ${tenantId} and c.connector_id = x.connector_id and c.deleted_at is null
      join apps p on p.tenant_id = ${tenantId} and p.app_id = c.app_id and p.deleted_at is null
      where x.tenant_id = ${tenantId} and x.revoked_at is null and ${ends(db, window)}
        ${inConnectors(db, scope, db`c.app_id`, db`c.connector_id`)}
      order by x.expires_at, x.credential_id`,
  )

export const findEndingDirectoryTokens = (db: Reads, tenantId: number, window: Window): Promise<Found> =>
  few(
    db,
    db`select x.app_id as "appId", x.app_id as id, p.display_name as name, '' as about from directory_tokens x
      join directories d on d.tenant_id = ${tenantId} and d.app_id = x.app_id and d.deleted_at is null
      join apps p on p.tenant_id = ${tenantId} and p.app_id = x.app_id and p.deleted_at is null
      where x.tenant_id = ${tenantId} and x.revoked_at is null and ${ends(db, window)}
      order by x.expires_at, x.token_id`,
  )
