import { may } from '#authority/may.ts'
import { firstIdAt } from '#kernel/ids.ts'
import type { Call } from '#kernel/routes.ts'
import { listOwnedPrincipals } from '#rooms/identity/principals/index.ts'
import { seesEveryone } from '#rooms/identity/users/index.ts'
import { scopeOf } from '../find-scope.ts'
import { type Asked, checks } from './checks.ts'
import { countedMax } from './found.ts'
import { kinds, weightOf } from './kinds.ts'

const dayMs = 86_400_000
/** Of credentials, which live for 30 days at least; and of access. */
export const soonDays = { credentials: 14, access: 30 }

/**
 * What needs attention, of what the caller may see: all kinds at one moment, by one connection. Each kind is counted up to a number, by
 * an index or over a table that is small. With 100,000 people, 1,000,000 grants and 400,000 accounts all kinds together take 0.1 s of CPU
 * time (docs/scale.md).
 */
export async function listAttention(call: Call) {
  const at = call.now()
  const ago = (days: number): Date => new Date(at.getTime() - days * dayMs)
  const isOwn = !may(call.actor, 'credentials.read') && may(call.actor, 'own-credentials.read')
  const ownIds = isOwn ? [call.actor.userId, ...(await listOwnedPrincipals(call))] : []
  return call.db.begin('isolation level repeatable read read only', async (tx) => {
    const asked: Asked = {
      db: tx,
      call,
      tenantId: call.tenant.id,
      scopeOf: await scopeOf(call, tx),
      at,
      soon: ago(-soonDays.credentials),
      soonOfAccess: ago(-soonDays.access),
      dayAgo: ago(1),
      weekAgo: ago(7),
      idOfWeekAgo: firstIdAt(ago(7)),
      seesEveryone: seesEveryone(call.actor),
      ownIds,
    }
    const found = await Promise.all(checks.map(async (check) => ({ check, of: (await check.find(asked)) ?? null })))
    return found
      .flatMap(({ check: { kind, path, pathOf }, of }) =>
        of === null || of.count === 0
          ? []
          : [
              {
                kind,
                weight: weightOf(kind),
                count: Math.min(of.count, countedMax),
                isMore: of.count > countedMax,
                path: path(asked),
                examples: of.examples.map((example) => ({
                  displayName: example.name,
                  about: example.about,
                  path: pathOf(example, asked),
                })),
              },
            ],
      )
      .toSorted((a, b) => kinds.indexOf(a.kind) - kinds.indexOf(b.kind))
  })
}
