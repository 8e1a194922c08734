import type { May } from '#authority/proof.ts'
import { invalid, Refusal } from '#kernel/refusals.ts'
import type { Call } from '#kernel/routes.ts'
import type { Tx } from '#kernel/sql.ts'
import { alert, causeOf, record, recordChange } from '#rooms/foundation/systemlog/index.ts'
import type { Directory, DirectoryToken } from '../directory.ts'
import { directoryNotFound, tokenNotFound } from '../refuse.ts'
import { lockDirectory } from '../store.ts'
import { bearers } from './bearer.ts'
import { findToken, insertToken, type KeptToken, listTokens, updateToken } from './store.ts'
import { makeText, tokenMac } from './text.ts'

const day = 86_400
const tokensMax = 10
const lifespanSecondsMax = 3 * 366 * day
const overlapSecondsMax = 30 * day

export type NewToken = { token: DirectoryToken; text: string }

/**
 * Creates a token, whose text is in the response, and is never available again. With an overlap, the other tokens expire
 * when that is over: until then they are accepted too, so that the identity provider can be given the new one.
 */
export async function createToken(
  tx: Tx,
  call: May<'directories.change'>,
  appId: string,
  wanted: { lifespanSeconds: number | null; overlapSeconds: number | null },
): Promise<NewToken> {
  const directory = await lockDirectory(tx, call.tenant.id, appId)
  if (directory?.kind !== 'scim') throw directoryNotFound(appId)
  const at = call.now()
  if (wanted.overlapSeconds !== null) {
    if (wanted.overlapSeconds < 0 || wanted.overlapSeconds > overlapSecondsMax)
      throw invalid({ field: 'overlap', description: 'must be between 0s and 2592000s (30 days)' })
    await endOthers(tx, call, appId, new Date(at.getTime() + wanted.overlapSeconds * 1000))
  }
  const live = (await listTokens(tx, call.tenant.id, appId)).filter(({ expiresAt }) => !expiresAt || expiresAt > at)
  if (live.length >= tokensMax)
    throw new Refusal('DIRECTORY_TOKENS_TOO_MANY', `A directory has at most ${tokensMax} tokens; revoke some.`)
  return addToken(tx, call, directory, wanted.lifespanSeconds)
}

export async function addToken(
  tx: Tx,
  call: May<'directories.change'>,
  { appId, displayName }: Pick<Directory, 'appId' | 'displayName'>,
  lifespanSeconds: number | null,
): Promise<NewToken> {
  if (lifespanSeconds !== null && (lifespanSeconds < 60 || lifespanSeconds > lifespanSecondsMax))
    throw invalid({
      field: 'expires',
      description: 'must be between 60s and 94867200s (three years), or absent for a token that never expires',
    })
  const at = call.now()
  const id = call.newId()
  const { text, secretSha256 } = makeText(call.seals, call.tenant.id, id)
  const token: DirectoryToken = {
    id,
    appId,
    createdBy: call.actor.userId,
    createdAt: at,
    expiresAt: lifespanSeconds === null ? null : new Date(at.getTime() + lifespanSeconds * 1000),
    lastUsedAt: null,
    revokedAt: null,
  }
  await insertToken(tx, call, sealed(call, { ...token, secretSha256 }))
  const touched = { type: 'directory token', id, data: { appId, expiresAt: token.expiresAt } }
  const message = `Created a token of the directory ${displayName}`
  await record(tx, call, call, alert(causeOf(call), 'create', message, [touched]))
  return { token, text }
}

const sealed = (call: Pick<Call, 'seals' | 'tenant'>, token: Omit<KeptToken, 'mac'>): KeptToken => ({
  ...token,
  mac: tokenMac(call.seals, call.tenant.id, token),
})

async function endOthers(tx: Tx, call: Call, appId: string, end: Date): Promise<void> {
  for (const token of await listTokens(tx, call.tenant.id, appId)) {
    if (token.expiresAt && token.expiresAt <= end) continue
    const { mac: _, ...before } = token
    await updateToken(tx, call.tenant.id, sealed(call, { ...before, expiresAt: end }))
    call.memory(bearers).forget(call.tenant.id, token.id)
    const touched = { type: 'directory token', id: token.id, data: { appId, expiresAt: end, before: token.expiresAt } }
    const message = `Set a token of a directory to expire at ${end.toISOString()}`
    await recordChange(tx, call, 'update', message, [touched])
  }
}

/** It is refused from the next request on; on other servers within a second. */
export async function revokeToken(tx: Tx, call: May<'directories.change'>, appId: string, id: string): Promise<void> {
  const directory = await lockDirectory(tx, call.tenant.id, appId)
  if (!directory) throw directoryNotFound(appId)
  const token = await findToken(tx, call.tenant.id, id)
  if (!token || token.appId !== appId || token.revokedAt) throw tokenNotFound(id)
  const { mac: _, ...before } = token
  await updateToken(tx, call.tenant.id, sealed(call, { ...before, revokedAt: call.now() }))
  call.memory(bearers).forget(call.tenant.id, id)
  const touched = { type: 'directory token', id, data: { appId } }
  const message = `Revoked a token of the directory ${directory.displayName}`
  await recordChange(tx, call, 'delete', message, [touched])
}
