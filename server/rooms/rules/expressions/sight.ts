import { mayEverywhere, type Plain, permissionFor } from '#authority/may.ts'
import { seesEveryone, sightOf, workFields } from '#authority/sight/index.ts'
import { type FieldViolation, invalid } from '#kernel/refusals.ts'
import type { Call } from '#kernel/routes.ts'
import type { Reads } from '#kernel/sql.ts'
import { heldKey, type Tells } from './expression.ts'
import type { Root } from './scope.ts'

/**
 * The author of an expression who sees its results learns what the expression reads. So an expression reads only what its
 * author may read anyway, wherever it is used: this is the one place that enforces it (decisions 0038 and 0126).
 *
 * The permissions needed to read what a name refers to. Fields of users are limited one by one. Owners of the app, the task
 * and the entitlement are shown to everyone who can have an expression evaluated for them, and so are the claims of a trust
 * to everyone who may change it.
 */
const neededFor: Record<Root, readonly Plain[]> = {
  subject: [],
  appOwners: [],
  task: [],
  entitlement: [],
  claims: [],
  // An account may hold copies of its user's fields.
  account: ['accounts.read', 'users.read'],
  ip: ['systemlog.read'],
  event: ['systemlog.read'],
  kind: ['systemlog.read'],
}

/** What an expression would reveal that a caller may not know: nothing, for most authors. */
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

/** Refuses an expression that would reveal to a caller what they may not know. */
export async function refuseUnseen(db: Reads, call: Call, tells: Tells, field: string): Promise<void> {
  const [first, ...others]: FieldViolation[] = (await unseenBy(db, call, tells)).map((description) => ({
    field,
    description,
  }))
  if (first) throw invalid(first, ...others)
}
