import { seesEveryone, sightOf } from '#authority/sight/index.ts'
import type { Call } from '#kernel/routes.ts'
import type { Source } from '#rooms/foundation/evidence/index.ts'
import { findUsers } from '#rooms/identity/users/index.ts'
import { nameCauses } from '../../changes/index.ts'
import type { Row } from './rows.ts'

export type Giver = Pick<Source, 'by' | 'rule'>

const idsAtOnce = 500

/** Who or what granted access, by id, as far as its reader may know. */
export async function findGivers(call: Call, rows: readonly Row[]): Promise<Map<string, Giver>> {
  const givers = new Map<string, Giver>()
  const ids = [...new Set(rows.flatMap(({ held }) => held.map(({ grantedBy }) => grantedBy)))].filter((id) => id !== '')
  for (let from = 0; from < ids.length; from += idsAtOnce) {
    const some = ids.slice(from, from + idsAtOnce)
    const causes = await nameCauses(
      call,
      some.map((id) => ({ kind: 'unspecified' as const, id, appId: '', entitlementId: '' })),
    )
    for (const cause of causes) {
      if (!cause || cause.kind === 'CHANGE_CAUSE_UNSPECIFIED' || cause.kind === 'CHANGE_CAUSE_USER') continue
      const kind = cause.kind.slice('CHANGE_CAUSE_'.length).toLowerCase()
      const rule = cause.ruleVersion > 0 ? { version: cause.ruleVersion, expression: cause.ruleExpression } : null
      givers.set(cause.id, { by: { kind, id: cause.id, name: cause.displayName }, rule })
    }
    for (const { id, displayName } of await seenUsers(call, some))
      givers.set(id, { by: { kind: 'user', id, name: displayName }, rule: null })
  }
  return givers
}

async function seenUsers(call: Call, ids: readonly string[]): Promise<{ id: string; displayName: string }[]> {
  const users = await findUsers(call.db, call.tenant.id, ids, call.now())
  if (seesEveryone(call.actor)) return users
  const seen = await sightOf(call, call.db).people(users.map(({ id }) => id))
  return users.filter(({ id }) => seen.has(id))
}
