import type { May } from '#authority/proof.ts'
import { refuseBeyondReach } from '#authority/reach/index.ts'
import { invalid, Refusal } from '#kernel/refusals.ts'
import type { Call } from '#kernel/routes.ts'
import type { Tx } from '#kernel/sql.ts'
import { recordChange } from '#rooms/foundation/systemlog/index.ts'
import { keepEntitlement } from '../entitlements/actions.ts'
import type { Proxy, ProxyKey } from '../records.ts'
import { deleteProxy, findProxy, insertProxy } from './store.ts'

/** From now on, holders of the source are to be granted the destination. */
export async function createProxy(tx: Tx, call: May<'entitlements.link'>, key: ProxyKey): Promise<Proxy> {
  const { srcAppId, srcAppEntitlementId, dstAppId, dstAppEntitlementId } = key
  if (srcAppId === dstAppId && srcAppEntitlementId === dstAppEntitlementId)
    throw invalid({ field: 'dstAppEntitlementId', description: 'must be another entitlement than the source' })
  await keepEntitlement(tx, call, srcAppId, srcAppEntitlementId)
  await keepEntitlement(tx, call, dstAppId, dstAppEntitlementId)
  await refuseBeyondReach(tx, call, { appId: dstAppId, id: dstAppEntitlementId })
  const at = call.now()
  const proxy: Proxy = { ...key, createdAt: at, updatedAt: at }
  if (!(await insertProxy(tx, call.tenant.id, proxy)))
    throw new Refusal(
      'ENTITLEMENT_PROXY_EXISTS',
      `${srcAppEntitlementId} is bound to ${dstAppEntitlementId} already.`,
      { metadata: { ...key } },
    )
  const message = `Bound the entitlement ${srcAppEntitlementId} to ${dstAppEntitlementId}`
  await recordChange(tx, call, 'create', message, touched(key))
  return proxy
}

export async function getProxy(call: Call, key: ProxyKey): Promise<Proxy> {
  const proxy = await findProxy(call.db, call.tenant.id, key)
  if (!proxy) throw notFound(key)
  return proxy
}

export async function removeProxy(tx: Tx, call: May<'entitlements.link'>, key: ProxyKey): Promise<void> {
  if (!(await deleteProxy(tx, call.tenant.id, key))) throw notFound(key)
  const message = `Unbound the entitlement ${key.srcAppEntitlementId} from ${key.dstAppEntitlementId}`
  await recordChange(tx, call, 'delete', message, touched(key))
}

const notFound = (key: ProxyKey): Refusal =>
  new Refusal(
    'ENTITLEMENT_PROXY_NOT_FOUND',
    `The entitlement ${key.srcAppEntitlementId} is not bound to ${key.dstAppEntitlementId}.`,
    { metadata: { ...key } },
  )

const touched = (key: ProxyKey) => [
  { type: 'entitlement', id: key.srcAppEntitlementId, data: { appId: key.srcAppId, isSource: true } },
  { type: 'entitlement', id: key.dstAppEntitlementId, data: { appId: key.dstAppId, isSource: false } },
]
