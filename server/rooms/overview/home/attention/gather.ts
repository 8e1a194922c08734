import { may } from '#authority/may.ts'
import { seesEveryone } from '#authority/sight/index.ts'
import { firstIdAt } from '#kernel/ids.ts'
import type { Call } from '#kernel/routes.ts'
import { listOwnedPrincipals } from '#rooms/identity/principals/index.ts'
import { scopeOf } from '../find-scope.ts'
import { type Asked, type Check, checks } from './checks.ts'
import { countedMax, type Example, type Thing } from './findings.ts'
import { kinds, weightOf } from './kinds.ts'

const dayMs = 86_400_000
/** Of credentials, which live for 30 days at least; and of access. */
export const soonDays = { credentials: 14, access: 30 }

/** What an example is; without an id where the caller cannot open it. */
function thingIn({ type, thingOf }: Check, example: Example, asked: Asked): Thing {
  if (thingOf) return thingOf(example, asked) ?? { type, id: '', appId: '' }
  return { type, id: example.id, appId: example.appId }
}

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
      .flatMap(({ check, of }) =>
        of === null || of.count === 0
          ? []
          : [
              {
                kind: check.kind,
                weight: weightOf(check.kind),
                count: Math.min(of.count, countedMax),
                isMore: of.count > countedMax,
                examples: of.examples.map((example) => ({
                  displayName: example.name,
                  about: example.about,
                  ...thingIn(check, example, asked),
                })),
              },
            ],
      )
      .toSorted((a, b) => kinds.indexOf(a.kind) - kinds.indexOf(b.kind))
  })
}
