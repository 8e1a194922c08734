import type { Tx } from '#kernel/sql.ts'
import { insertRecords, profilesAppId, updateRecords } from '#rooms/foundation/writes/index.ts'

/** An access profile, whose enrollment has the same id and name. */
type Named = { id: string; displayName: string; description: string }

/** Creates the app of enrollments, if this is the first profile with one. */
export async function ensureProfilesApp(tx: Tx, tenantId: number, at: Date): Promise<void> {
  await insertRecords(
    tx,
    tenantId,
    'apps',
    tx`
    (tenant_id, app_id, display_name, description, is_manually_managed, created_at, updated_at)
    values (${tenantId}, ${profilesAppId}, 'Access profiles', 'Who is enrolled in which access profile.', true, ${at}, ${at})
    on conflict (tenant_id, app_id) do nothing`,
    { isFew: true },
  )
}

export async function ensureEnrollment(tx: Tx, tenantId: number, profile: Named, at: Date): Promise<void> {
  await insertRecords(
    tx,
    tenantId,
    'entitlements',
    tx`
    (tenant_id, app_id, entitlement_id, display_name, description, slug, purpose, is_manually_managed, created_at, updated_at)
    values (${tenantId}, ${profilesAppId}, ${profile.id}, ${profile.displayName}, ${profile.description}, 'enrollment',
      'APP_ENTITLEMENT_PURPOSE_VALUE_ASSIGNMENT', true, ${at}, ${at})
    on conflict (tenant_id, app_id, entitlement_id) do nothing`,
    { isFew: true },
  )
}

/** Gives the enrollment the name of its profile. */
export async function renameEnrollment(tx: Tx, tenantId: number, profile: Named & { updatedAt: Date }): Promise<void> {
  await updateRecords(
    tx,
    tenantId,
    'entitlements',
    {
      set: { display_name: profile.displayName, description: profile.description, updated_at: profile.updatedAt },
      where: tx`x.app_id = ${profilesAppId} and x.entitlement_id = ${profile.id} and x.deleted_at is null
        and (x.display_name, x.description) <> (${profile.displayName}, ${profile.description})`,
    },
    { isFew: true },
  )
}
