import { route } from '#authority/route.ts'
import { ExpandMask, expandedField } from '#kernel/expand.ts'

import { transact } from '#kernel/sql.ts'
import { empty, message, nested, readOnly, text, timestamp } from '#kernel/wire.ts'
import { presentProxy } from '../neighbours.ts'
import type { ProxyKey } from '../records.ts'
import { createProxy, getProxy, removeProxy } from './actions.ts'

const ProxyMessage = message(
  'app.v1.AppEntitlementProxy',
  {
    srcAppId: text(),
    srcAppEntitlementId: text(),
    dstAppId: text(),
    dstAppEntitlementId: text(),
    createdAt: readOnly(timestamp()),
    updatedAt: readOnly(timestamp()),
    deletedAt: readOnly(timestamp()),
  },
  'Everyone with the source entitlement is granted the destination.',
)
const ProxyView = message('app.v1.AppEntitlementProxyView', {
  appProxyEntitlement: nested(ProxyMessage),
  srcAppPath: readOnly(text()),
  srcAppEntitlementPath: readOnly(text()),
  dstAppPath: readOnly(text()),
  dstAppEntitlementPath: readOnly(text()),
})
const proxyReply = (name: string) =>
  message(name, { appProxyEntitlementView: nested(ProxyView), expanded: expandedField })

const address = '/api/v1/apps/{src_app_id}/{src_app_entitlement_id}/bindings/{dst_app_id}/{dst_app_entitlement_id}'
type Path = { src_app_id: string; src_app_entitlement_id: string; dst_app_id: string; dst_app_entitlement_id: string }
const keyIn = (path: Path): ProxyKey => ({
  srcAppId: path.src_app_id,
  srcAppEntitlementId: path.src_app_entitlement_id,
  dstAppId: path.dst_app_id,
  dstAppEntitlementId: path.dst_app_entitlement_id,
})

export const proxyRoutes = [
  route({
    id: 'app.v1.AppEntitlementsProxy.Get',
    at: `GET ${address}`,
    summary: 'Get the binding of one entitlement to another.',
    rule: 'entitlements.read-link',
    about: [
      { app: 'src_app_id', entitlement: 'src_app_entitlement_id' },
      { app: 'dst_app_id', entitlement: 'dst_app_entitlement_id' },
    ],
    reply: proxyReply('app.v1.GetAppEntitlementProxyResponse'),
    async handle(call, { path }) {
      const { view, expanded } = await presentProxy(call, await getProxy(call, keyIn(path)), null)
      return { appProxyEntitlementView: view, expanded }
    },
  }),
  route({
    id: 'app.v1.AppEntitlementsProxy.Create',
    at: `POST ${address}`,
    summary: 'Bind one entitlement to another: everyone with the first is granted the second.',
    rule: 'entitlements.link',
    about: [
      { app: 'src_app_id', entitlement: 'src_app_entitlement_id' },
      { app: 'dst_app_id', entitlement: 'dst_app_entitlement_id' },
    ],
    body: message('app.v1.CreateAppEntitlementProxyRequestInput', { expandMask: nested(ExpandMask) }),
    reply: proxyReply('app.v1.CreateAppEntitlementProxyResponse'),
    async handle(call, { path, body }) {
      const made = await transact(call.db, (tx) => createProxy(tx, call, keyIn(path)))
      const { view, expanded } = await presentProxy(call, made, body.expandMask)
      return { appProxyEntitlementView: view, expanded }
    },
  }),
  route({
    id: 'app.v1.AppEntitlementsProxy.Delete',
    at: `DELETE ${address}`,
    summary: 'Remove the binding of one entitlement to another.',
    rule: 'entitlements.link',
    about: [
      { app: 'src_app_id', entitlement: 'src_app_entitlement_id' },
      { app: 'dst_app_id', entitlement: 'dst_app_entitlement_id' },
    ],
    body: message('app.v1.DeleteAppEntitlementProxyRequestInput', {}),
    reply: empty,
    async handle(call, { path }) {
      await transact(call.db, (tx) => removeProxy(tx, call, keyIn(path)))
      return {}
    },
  }),
]
