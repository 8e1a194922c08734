import { idMaker } from '#kernel/ids.ts'
import type { Claim } from '../claim.ts'
import { load, requestBytes } from '../load.ts'
import { appId, type Scene, startScene, userId } from '../owners.ts'

const writers = 8
const owners = 50
const durationMs = 1500

/** Fifty owners of whom the last is one of two: each request changes one. */
const refs = (turn: number) =>
  Array.from({ length: owners }, (_, n) => ({ id: userId(n === owners - 1 ? owners + (turn % 2) : n) }))

/** Each writer with an app of its own. */
function byApi({ port, token }: Scene) {
  const headers = { authorization: `Bearer ${token}` }
  const requests = Array.from({ length: writers }, (_, n) =>
    [0, 1].map((turn) =>
      requestBytes('PUT', `/api/v2/apps/${appId(n)}/owners`, {
        headers,
        body: JSON.stringify({ roleSlug: 'primary', userRefs: refs(turn) }),
      }),
    ),
  )
  let turn = 0
  return async (): Promise<number> => {
    const loads = await Promise.all(
      requests.map((both) => load({ port, connections: 1, durationMs, next: () => both[++turn % 2] as Buffer })),
    )
    if (loads.some(({ statuses }) => [...statuses.keys()].some((status) => status !== 200)))
      throw new Error('not every answer was a 200')
    return loads.reduce((sum, { perSecond }) => sum + perSecond, 0)
  }
}

/** The same three rows in a transaction: the owner that ends, the one that begins, and an event as long as the real one. */
function bySql({ db, tenantId }: Scene, event: string) {
  const newId = idMaker(Date.now)
  return async (): Promise<number> => {
    const begin = performance.now()
    let count = 0
    const drive = async (n: number): Promise<void> => {
      const app = appId(writers + n)
      for (let turn = 0; performance.now() - begin < durationMs; turn++) {
        await db.begin(async (tx) => {
          await tx`
            update owners set ended_at = now(), ended_by = '', ended_why = 'removed'
            where tenant_id = ${tenantId} and kind = 'app' and app_id = ${app} and resource_type_id = ''
              and object_id = ${app} and role_slug = 'primary' and ended_at is null
              and user_id = any(${[userId(owners), userId(owners + 1)]}::text[])`
          await tx`
            insert into owners (tenant_id, kind, app_id, object_id, role_slug, owner_id, user_id, began_at)
            values (${tenantId}, 'app', ${app}, ${app}, 'primary', ${newId()}, ${userId(owners + (turn % 2))}, now())`
          await tx`
            insert into systemlog_events (tenant_id, event_id, occurred_at, event, mac)
            values (${tenantId}, ${newId()}, now(), ${event}, sha256('an event'))`
        })
        count++
      }
    }
    await Promise.all(Array.from({ length: writers }, (_, n) => drive(n)))
    return (count / (performance.now() - begin)) * 1000
  }
}

export const claim: Claim = {
  claim:
    `A Set of ${owners} owners of whom one changes is made at least 0.5 times as fast as the bare SQL of the change: the ` +
    'row that ends, the one that begins and the event, in a transaction, sent without a server.',
  unit: 'changes/s',
  ratioMin: 0.5,
  rounds: 7,
  async start() {
    const scene = await startScene(2 * writers)
    for (let n = 0; n < 2 * writers; n++) await scene.set(appId(n), { userRefs: refs(0) })
    await scene.db`vacuum analyze owners`
    // Of one owner that goes and one that comes, as in each round.
    await scene.set(appId(0), { userRefs: refs(1) })
    const [latest] = await scene.db<{ event: string }[]>`
      select event from systemlog_events order by event_id desc limit 1`
    return {
      subject: { round: byApi(scene), stop: async () => {} },
      floor: { round: bySql(scene, latest?.event ?? ''), stop: scene.stop },
    }
  },
}
