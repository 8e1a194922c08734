import { mayEverywhere, type Plain, permissionFor } from '#authority/may.ts'
import { type FieldViolation, invalid } from '#kernel/refusals.ts'
import type { Call } from '#kernel/routes.ts'
import type { Reads } from '#kernel/sql.ts'
import { seesEveryone, sightOf, workFields } from '#rooms/identity/users/index.ts'
import { heldKey, type Tells } from './expression.ts'
import type { Root } from './scope.ts'

/**
 * Whoever writes an expression and sees what comes of it is told what the expression reads. So what a caller writes reads only
 * what they may read anyway, wherever it stands: this is the one place that says so (decisions 0038 and 0126).
 *
 * Which permissions it takes to read what a name stands for. Fields of users are limited one by one. Owners of the app, the task and the
 * entitlement are shown to whoever can have an expression asked about them, and so are the claims of a trust to whoever may
 * change it.
 */
const neededFor: Record<Root, readonly Plain[]> = {
  subject: [],
  appOwners: [],
  task: [],
  entitlement: [],
  claims: [],
  // An account may hold copies of what is in the record of its user.
  account: ['accounts.read', 'users.read'],
  ip: ['systemlog.read'],
  event: ['systemlog.read'],
  kind: ['systemlog.read'],
}

/** What an expression would tell a caller that they may not know: nothing, for most who write them. */
export async function unseenBy(db: Reads, call: Call, tells: Tells): Promise<string[]> {
  const known: readonly string[] = workFields
  const lacks = (action: Plain): boolean => !mayEverywhere(call.actor, action)
  const unseen = tells.roots.flatMap((root) => {
    const missing = neededFor[root].filter(lacks).map(permissionFor)
    return missing.length > 0 ? [`reads ${root}, which needs the permission ${missing.join(' and ')}`] : []
  })
  if (!seesEveryone(call.actor))
    unseen.push(
      ...tells.fields
        .filter((name) => !known.includes(name))
        .map((name) => {
          const what = name === 'any' ? 'fields of users by a name that is not a literal' : `the field ${name} of users`
          return `reads ${what}; without the permission users.read an expression can read ${workFields.join(', ')}`
        }),
      ...tells.lookups
        .filter(({ about }) => about === 'people')
        .map(({ name }) => `uses ${name}, which needs the permission users.read`),
    )
  if (!lacks('grants.read')) return unseen
  const sight = sightOf(call, db)
  const seen = await sight.entitlements(tells.entitlements)
  const { owned } = tells.apps.length > 0 ? await sight.apps() : { owned: new Set<string>() }
  return [
    ...unseen,
    ...tells.lookups
      .filter(({ about }) => about !== 'people')
      .map(({ name }) => `uses ${name} with ids that are not literals, which needs the permission grants.read`),
    ...tells.entitlements
      .filter((held) => seen.get(heldKey(held)) !== 'owned')
      .map(({ appId, id }) => `you own no entitlement ${id} of the app ${appId}`),
    ...tells.apps.filter((appId) => !owned.has(appId)).map((appId) => `you own no app ${appId}`),
  ]
}

/** Refuses an expression that would tell a caller what they may not know. */
export async function refuseUnseen(db: Reads, call: Call, tells: Tells, field: string): Promise<void> {
  const [first, ...others]: FieldViolation[] = (await unseenBy(db, call, tells)).map((description) => ({
    field,
    description,
  }))
  if (first) throw invalid(first, ...others)
}
