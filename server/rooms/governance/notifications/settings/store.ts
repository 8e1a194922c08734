import type { By } from '#authority/proof.ts'
import type { Reads, Tx } from '#kernel/sql.ts'
import { completed } from './decide.ts'
import type { OrganisationSettings, PersonalSettings } from './settings.ts'

export async function findOrganisation(db: Reads, tenantId: number): Promise<OrganisationSettings> {
  const [row] = await db<{ settings: Partial<OrganisationSettings> }[]>`
    select n.settings from notification_settings n where n.tenant_id = ${tenantId} and n.user_id = ''`
  return completed(row?.settings ?? {})
}

/** The settings of people; those without settings are absent. */
export async function findPersonal(
  db: Reads,
  tenantId: number,
  userIds: readonly string[],
): Promise<Map<string, PersonalSettings>> {
  if (userIds.length === 0) return new Map()
  const rows = await db<{ userId: string; settings: PersonalSettings }[]>`
    select n.user_id as "userId", n.settings from notification_settings n
    where n.tenant_id = ${tenantId} and n.user_id = any(${userIds}::text[]) and n.user_id <> ''`
  return new Map(rows.map(({ userId, settings }) => [userId, settings]))
}

type Setting = By<'notifications.change' | 'own-notifications.use'>

/** Locks the settings: concurrent changes of different settings are both kept. */
export async function lockSettings(tx: Tx, { tenant }: Setting, userId: string, at: Date): Promise<void> {
  await tx`
    insert into notification_settings (tenant_id, user_id, settings, updated_at)
    values (${tenant.id}, ${userId}, '{}', ${at}) on conflict (tenant_id, user_id) do nothing`
  await tx`
    select 1 from notification_settings n where n.tenant_id = ${tenant.id} and n.user_id = ${userId} for update`
}

export async function putSettings(
  tx: Tx,
  { tenant }: Setting,
  userId: string,
  settings: OrganisationSettings | PersonalSettings,
  at: Date,
): Promise<void> {
  await tx`
    update notification_settings set settings = ${JSON.stringify(settings)}::text::jsonb, updated_at = ${at}
    where tenant_id = ${tenant.id} and user_id = ${userId}`
}
