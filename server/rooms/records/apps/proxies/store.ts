import type { Fragment, Reads, Tx } from '#kernel/sql.ts'
import type { Proxy, ProxyKey } from '../records.ts'

const ofKey = (db: Reads, tenantId: number, key: ProxyKey) => db`
  tenant_id = ${tenantId} and src_app_id = ${key.srcAppId} and src_entitlement_id = ${key.srcAppEntitlementId}
  and dst_app_id = ${key.dstAppId} and dst_entitlement_id = ${key.dstAppEntitlementId}`

/** Returns whether it is new. */
export async function insertProxy(tx: Tx, tenantId: number, proxy: Proxy): Promise<boolean> {
  const { count } = await tx`
    insert into entitlement_proxies (tenant_id, src_app_id, src_entitlement_id, dst_app_id, dst_entitlement_id,
      created_at, updated_at)
    values (${tenantId}, ${proxy.srcAppId}, ${proxy.srcAppEntitlementId}, ${proxy.dstAppId},
      ${proxy.dstAppEntitlementId}, ${proxy.createdAt}, ${proxy.updatedAt})
    on conflict do nothing`
  return count === 1
}

export async function findProxy(db: Reads, tenantId: number, key: ProxyKey): Promise<Proxy | null> {
  const [row] = await db<Proxy[]>`
    select src_app_id as "srcAppId", src_entitlement_id as "srcAppEntitlementId", dst_app_id as "dstAppId",
      dst_entitlement_id as "dstAppEntitlementId", created_at as "createdAt", updated_at as "updatedAt"
    from entitlement_proxies where ${ofKey(db, tenantId, key)}`
  return row ?? null
}

/** Returns whether it existed. */
export async function deleteProxy(tx: Tx, tenantId: number, key: ProxyKey): Promise<boolean> {
  const { count } = await tx`delete from entitlement_proxies where ${ofKey(tx, tenantId, key)}`
  return count === 1
}

/** For deleted entitlements: `gone` names a table of (app_id, entitlement_id). */
export async function deleteProxiesOf(tx: Tx, tenantId: number, gone: Fragment): Promise<void> {
  await tx`
    delete from entitlement_proxies p using ${gone} g
    where p.tenant_id = ${tenantId} and p.src_app_id = g.app_id and p.src_entitlement_id = g.entitlement_id`
  await tx`
    delete from entitlement_proxies p using ${gone} g
    where p.tenant_id = ${tenantId} and p.dst_app_id = g.app_id and p.dst_entitlement_id = g.entitlement_id`
}
