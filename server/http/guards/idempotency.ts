import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { invalid, Refusal } from '#kernel/refusals.ts'
import { anyone, type Call, type Route } from '#kernel/routes.ts'
import { type Db, type Tx, transact, within } from '#kernel/sql.ts'
import { inTurns } from '#kernel/tenants-with.ts'
import { currentWork } from '#kernel/work.ts'
import type { World } from '#kernel/world.ts'
import {
  deleteKeysBefore,
  findReply,
  hasManyKeys,
  type KeptReply,
  type KeyOf,
  keepReply,
  listTenantsWithKeysBefore,
  tryLockKey,
} from './idempotency-store.ts'

/**
 * The Idempotency-Key header (draft-ietf-httpapi-idempotency-key-header): a request that is repeated with its key is
 * carried out once. The response is written in the transaction of the change itself, so one never exists without the
 * other. See docs/decisions/0041.
 */
const keptMs = 24 * 3_600_000
const keysPerCallerMax = 10_000
const header = 'idempotency-key'
const keyLengthMax = 255
const purpose = 'idempotency'

export type Keyed = KeyOf & { fingerprint: Buffer }

const sha256 = (...parts: string[]): Buffer => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(`${Buffer.byteLength(part)}:`).update(part)
  return hash.digest()
}

/**
 * Whether a route accepts keys: if it may change something for a known caller. A streamed body is not available for
 * comparison; the route that takes one, an import, changes nothing when it is repeated. Lists are read again.
 */
export const honoursKeys = ({ method, allow, stream, paged, download, onlyReads }: Route): boolean =>
  method !== 'GET' && allow !== anyone && !stream && !paged && !download && !onlyReads

/** The key of a request, if it has one and its route accepts keys. */
export function keyedBy(request: FastifyRequest, route: Route): Keyed | null {
  const given = request.headers[header]
  if (given === undefined || !honoursKeys(route)) return null
  const { actor, params, query, body } = request
  return {
    caller: actor.credentialId === '' ? `user ${actor.userId}` : `credential ${actor.credentialId}`,
    keySha256: sha256(readKey(String(given))),
    fingerprint: sha256(
      ...[route.id, JSON.stringify(params), JSON.stringify(query), JSON.stringify(body ?? {})],
      // A token for fewer roles may not see the response to one for more.
      ...(actor.tokenScope ?? []),
    ),
  }
}

// The draft has a quoted string (RFC 8941 section 3.3.3); most clients send it without quotes. Two headers arrive
// joined by a comma.
function readKey(given: string): string {
  const quoted = /^"((?:[ !#-[\]-~]|\\["\\])*)"$/.exec(given)?.[1]?.replace(/\\(.)/g, '$1')
  const key = quoted ?? given
  if (key === '' || key.length > keyLengthMax || (quoted === undefined && !/^[!#-+\--~]+$/.test(key)))
    throw invalid({
      field: 'Idempotency-Key',
      description: `must be one key of 1 to ${keyLengthMax} printable ASCII characters, such as a UUID`,
    })
  return key
}

export type Answer = { json: string; isReplayed: boolean }

/** Runs `handle` once for a key, and returns the same response from then on. */
export async function doOnce(
  call: Pick<Call, 'db' | 'tenant' | 'now' | 'seals'>,
  { secretIn }: Route,
  keyed: Keyed,
  handle: (db: Db) => Promise<{ [field: string]: unknown }>,
): Promise<Answer> {
  const { id: tenantId, publicId } = call.tenant
  const context = `${keyed.caller} ${keyed.keySha256.toString('hex')} ${keyed.fingerprint.toString('hex')}`
  const work = currentWork()
  const run = async (tx: Tx): Promise<Answer | Refusal> => {
    if (work) work.afterCommit = []
    if (!(await tryLockKey(tx, tenantId, keyed))) throw inUse()
    const kept = await findReply(tx, tenantId, keyed, new Date(call.now().getTime() - keptMs))
    if (kept) return replay(kept)
    if (await hasManyKeys(tx, tenantId, keyed.caller, keysPerCallerMax)) throw tooMany()
    try {
      const reply = await handle(within(tx))
      const json = JSON.stringify(reply)
      if (tx.hasWritten()) {
        const hasSecret = secretIn !== null && reply[secretIn] !== ''
        const text = hasSecret ? JSON.stringify({ ...reply, [secretIn]: '' }) : json
        const sealed = call.seals.seal(purpose, publicId, Buffer.from(text), context)
        await keepReply(tx, tenantId, keyed, { ...keyed, reply: sealed, hasSecret }, call.now())
      }
      return { json, isReplayed: false }
    } catch (error) {
      // What a handler had committed before it refused, such as an event about a failure, stays committed.
      if (error instanceof Refusal) return error
      throw error
    }
  }
  const replay = ({ fingerprint, reply, hasSecret }: KeptReply): Answer => {
    if (!timingSafeEqual(fingerprint, keyed.fingerprint)) throw reused()
    const json = call.seals.open(purpose, publicId, reply, context)?.toString()
    if (json === undefined) throw new Error('a stored response was altered in the database')
    if (hasSecret) throw secretSent(json)
    return { json, isReplayed: true }
  }
  const outcome = await transact(call.db, run)
  for (const each of work?.afterCommit ?? []) each()
  if (outcome instanceof Refusal) throw outcome
  return outcome
}

const retryAfterSeconds = 1
const inUse = (): Refusal =>
  new Refusal('IDEMPOTENCY_KEY_IN_USE', 'A request with this Idempotency-Key is being served; try again shortly.', {
    retryAfterSeconds,
  })
const reused = (): Refusal =>
  new Refusal('IDEMPOTENCY_KEY_REUSED', 'This Idempotency-Key was used for a different request; use a new key.')
const tooMany = (): Refusal =>
  new Refusal(
    'IDEMPOTENCY_KEYS_TOO_MANY',
    `This caller has used ${keysPerCallerMax} Idempotency-Keys within 24 hours; send the request without one, or later.`,
    { retryAfterSeconds: 3600 },
  )

/** Names what was created, so that it can be deleted: an object is useless if nobody has its secret. */
function secretSent(json: string): Refusal {
  const created = Object.values(JSON.parse(json) as Record<string, { id?: string } | null>).find((each) => each?.id)
  const id = created?.id ?? ''
  return new Refusal(
    'SECRET_ALREADY_SENT',
    `This request was served, and created ${id}. Its secret was in the first reply and is not stored; if that reply was ` +
      'lost, delete it and create another with a new Idempotency-Key.',
    { metadata: { id } },
  )
}

const deleteAtOnce = 1000
// Runs once per minute: enough time for the keys of a minute.
const forgetForMs = 30_000

/** Periodic work: removes keys after 24 hours. */
export async function forgetKeys(world: Pick<World, 'db' | 'now'>): Promise<void> {
  const before = new Date(world.now().getTime() - keptMs)
  const forget = (tenantId: number): Promise<number> =>
    transact(world.db, (tx) => deleteKeysBefore(tx, tenantId, before, deleteAtOnce))
  await inTurns(
    await listTenantsWithKeysBefore(world.db, before),
    async (tenantId) => (await forget(tenantId)) === deleteAtOnce,
    forgetForMs,
  )
}
