import { route } from '#authority/route.ts'
import { seesEveryone } from '#authority/sight/index.ts'
import { slot } from '#kernel/memory.ts'
import { invalid, Refusal } from '#kernel/refusals.ts'
import type { Call, Route } from '#kernel/routes.ts'
import { looseBudget } from '#kernel/shared-budget.ts'
import { transact } from '#kernel/sql.ts'
import { message, nested, text, timestamp } from '#kernel/wire.ts'
import { setDelegation, userNotFound } from '../actions.ts'
import { findNameable } from '../nameable.ts'
import { findDelegation } from '../store/delegations.ts'
import { findPerson } from '../store.ts'

export const DelegationBinding = message('user.v1.UserDelegationBinding', {
  userId: text(),
  delegatedUserId: text(),
  startAt: timestamp(),
  expirationAt: timestamp(),
  createdAt: timestamp(),
  updatedAt: timestamp(),
  deletedAt: timestamp(),
})
// The caller may know the name of the delegate that they set: also before the start of the delegation, from which they
// see them.
const itemReply = (name: string) => message(name, { item: nested(DelegationBinding), delegatedUserName: text() })

const nameOf = async ({ db, tenant }: Call, userId: string): Promise<string> =>
  userId === '' ? '' : ((await findPerson(db, tenant.id, userId))?.displayName ?? '')

/** The delegates that a caller may set: people whom they see, by id, and one whose whole email address they know. */
async function nameDelegate(call: Call, id: string, email: string): Promise<string> {
  if (id !== '' && email !== '')
    throw invalid({ field: 'delegatedUserEmail', description: 'must not be set together with delegatedUserId' })
  if (email === '' && (id === '' || seesEveryone(call.actor))) return id
  const [found] = await findNameable(call, { address: email.trim(), ids: id === '' ? [] : [id] })
  if (!found || found.deletedAt !== null) throw userNotFound(id || email)
  return found.id
}

// Each change is an event and a job on the disk: their number is limited.
const changes = slot((world) => looseBudget(world, 'changes of delegates', { burst: 50, perSecond: 1 / 60 }))

function countChange(call: Call): void {
  const key = `${call.tenant.id} ${call.actor.userId}`
  if (call.memory(changes).take(key) === null)
    throw new Refusal('TOO_MANY_FAILURES', 'Too many changes of delegates; try again later.', {
      retryAfterSeconds: call.memory(changes).waitSeconds(key),
    })
}

/** Operations of everyone about who decides in their place. */
export const delegationRoutes: Route[] = [
  route({
    id: 'user.v1.UserDelegation.Get',
    at: 'GET /api/v1/users/introspect/delegation',
    summary: 'Get the delegate of the caller, from when and until when; no item if there is none.',
    rule: 'self.read',
    reply: itemReply('user.v1.UserDelegationGetResponse'),
    async handle(call) {
      const delegation = await findDelegation(call.db, call.tenant.id, call.actor.userId)
      const end = delegation?.expirationAt ?? null
      const isOver = end !== null && end <= call.now()
      if (!delegation || isOver) return { item: null }
      const item = { ...delegation, deletedAt: null }
      return { item, delegatedUserName: await nameOf(call, item.delegatedUserId) }
    },
  }),
  route({
    id: 'user.v1.UserDelegation.Set',
    at: 'POST /api/v1/users/introspect/delegation',
    summary:
      'Set the delegate of the caller, for a limited time, by id or by email address. Without either, the delegate is removed.',
    rule: 'self.delegate',
    body: message('user.v1.UserDelegationSetRequest', {
      delegatedUserId: text(),
      delegatedUserEmail: text({ maxLength: 320 }),
      delegationStartAt: timestamp(),
      delegationExpireAt: timestamp(),
    }),
    reply: itemReply('user.v1.UserDelegationSetResponse'),
    async handle(call, { body }) {
      countChange(call)
      const wanted = {
        userId: call.actor.userId,
        delegatedUserId: await nameDelegate(call, body.delegatedUserId, body.delegatedUserEmail),
        startAt: body.delegationStartAt,
        expirationAt: body.delegationExpireAt,
      }
      const item = await transact(call.db, (tx) => setDelegation(tx, call, wanted))
      return { item, delegatedUserName: await nameOf(call, item.delegatedUserId) }
    },
  }),
]
