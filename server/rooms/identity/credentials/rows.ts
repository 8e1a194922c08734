import type { World } from '#kernel/world.ts'
import { credentialMac } from './proof.ts'
import type { Credential, KeptCredential, SealedCredential } from './store.ts'

export const sealed = (world: World, tenantId: number, credential: Omit<KeptCredential, 'mac'>): SealedCredential => ({
  ...credential,
  mac: credentialMac(world.seals, tenantId, credential),
})

export const touched = (credential: Credential, more: { readonly [name: string]: unknown } = {}) => {
  const { id, clientId, userId, displayName, allowSourceCidr, scopedRoles, expiresTime, ancestorIds, requireDpop } =
    credential
  const createdWith = ancestorIds.at(-1)
  const data = {
    clientId,
    userId,
    allowSourceCidr,
    scopedRoles,
    expiresTime,
    ...(requireDpop && { requireDpop }),
    ...(createdWith && { createdWith }),
    ...more,
  }
  return { type: 'credential', id, name: displayName, data }
}
