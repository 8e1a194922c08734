import type { May } from '#authority/proof.ts'
import type { Reads, Tx } from '#kernel/sql.ts'
import type { Settings } from './automation.ts'

/**
 * The settings of a profile's automation; if there are none, because the rule was created elsewhere, it is enabled and
 * creates no tasks.
 */
export async function findSettings(db: Reads, tenantId: number, profileId: string): Promise<Settings> {
  const [row] = await db<Settings[]>`
    select s.is_enabled as "isEnabled", s.creates_tasks as "createsTasks", s.removed_percent as "removedPercent"
    from profile_automations s where s.tenant_id = ${tenantId} and s.profile_id = ${profileId}`
  return row ?? { isEnabled: true, createsTasks: false, removedPercent: 0 }
}

export async function putSettings(
  tx: Tx,
  { tenant: { id: tenantId } }: May<'profiles.change'>,
  profileId: string,
  settings: Settings,
): Promise<void> {
  await tx`
    insert into profile_automations (tenant_id, profile_id, is_enabled, creates_tasks, removed_percent)
    values (${tenantId}, ${profileId}, ${settings.isEnabled}, ${settings.createsTasks}, ${settings.removedPercent})
    on conflict (tenant_id, profile_id) do update set is_enabled = excluded.is_enabled,
      creates_tasks = excluded.creates_tasks, removed_percent = excluded.removed_percent`
}

export async function deleteSettings(
  tx: Tx,
  { tenant: { id: tenantId } }: May<'profiles.change'>,
  profileId: string,
): Promise<void> {
  await tx`delete from profile_automations where tenant_id = ${tenantId} and profile_id = ${profileId}`
}
