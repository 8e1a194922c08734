import type { May } from '#authority/proof.ts'
import { canonicalHost } from '#kernel/hosts.ts'
import { Refusal } from '#kernel/refusals.ts'
import { addressOf } from '#rooms/foundation/tenants/index.ts'
import { makeMoveLink } from '#rooms/identity/sessions/index.ts'
import { getAddress } from '../actions.ts'
import { stateOf } from './decide.ts'

/** Signs the caller in at another address of the tenant, where neither their cookie nor their passkey works. */
export async function moveTo(call: May<'own-sign-in.change'>, given: string) {
  const { db, tenant } = call
  const wanted = given === '' ? canonicalHost(tenant.domain) : given
  const { row, currentHost } = await getAddress(db, tenant.id, wanted)
  const state = stateOf(row, currentHost)
  // Whoever has the name could otherwise have the link: it is only sent to a name that was seen to lead here.
  if (state === 'ENDED' || (state === 'NEW' && (!row.reachedAt || row.reachedOrigin !== addressOf(row))))
    throw new Refusal(
      'ADDRESS_NOT_REACHED',
      `Nobody has opened ${row.domain} on this server yet, as it was added: check it first.`,
    )
  const { token, expiresAt } = await makeMoveLink(call, row.host)
  return { url: `${addressOf(row)}/sign-in#${token}`, expiresAt }
}
