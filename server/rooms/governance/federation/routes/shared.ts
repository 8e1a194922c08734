import { showRecords } from '#authority/sight/index.ts'
import { nextPageToken } from '#kernel/pages.ts'
import type { Call } from '#kernel/routes.ts'
import { listOf, message, nested } from '#kernel/wire.ts'
import type { Trust } from '../trust.ts'
import { Provider, TrustMessage, viewTrust } from '../view.ts'

export const service = 'workload_federation.v1.WorkloadFederationService'
export const providers = '/api/v1/workload_federation/providers'
export const trusts = '/api/v1/service_principals/{service_principal_id}/trusts'
export const request = (name: string) => `${service}${name}Request`
export const response = (name: string) => `${service}${name}Response`
export const providerReply = (name: string) => message(response(name), { provider: nested(Provider) })
export const trustReply = (name: string) => message(response(name), { trust: nested(TrustMessage) })
export const trustPage = (name: string) => message(response(name), { list: listOf(TrustMessage), nextPageToken })
export const about = { user: 'service_principal_id' } as const

type TrustPath = { readonly service_principal_id: string; readonly client_id: string }
export const refOf = ({ service_principal_id: principalId, client_id: clientId }: TrustPath) => ({
  principalId,
  clientId,
})

export function show(call: Call, trust: Trust) {
  showRecords(call, [trust.terms.principalId])
  return viewTrust(trust)
}
