import { cancelOfStep } from '#rooms/events/webhooks/index.ts'
import { enqueue } from '#rooms/foundation/jobs/index.ts'
import { serviceCause } from '#rooms/foundation/systemlog/index.ts'
import { placeRequest, releaseRequest } from '#rooms/records/connectors/index.ts'
import type { Facts } from '../facts/facts.ts'
import type { Effect } from '../machine/effect.ts'
import type { Deciding } from '../verdict.ts'
import { createAccount, grant, recordAccess, revokeIncluded } from './grants.ts'
import {
  asking,
  askWebhook,
  changeApproved,
  changeOf,
  dueAt,
  offboardingOf,
  offboardTask,
  taskDue,
} from './job-names.ts'
import { deleteWait, insertWait, listWaits } from './waits-store.ts'

type Effects = readonly Effect[]
type EffectOf<D extends Effect['do']> = Extract<Effect, { do: D }>

/**
 * Carries out the effects of a task's events, together with writing the task. Effects on access are carried out in sequence:
 * an account exists before its grants, and a connector gets new work before cancellations.
 */
export async function carryOut(facts: Facts, cause: Deciding, taskId: string, effects: Effects): Promise<void> {
  const inTurn: (() => Promise<void>)[] = []
  const atOnce: Promise<void>[] = []
  const { tx, world, tenantId } = facts
  for (const effect of effects)
    switch (effect.do) {
      case 'record access':
        inTurn.push(() => recordAccess(facts, cause, effect, effect.isInApp ?? false))
        break
      case 'grant included':
        inTurn.push(() => grant(facts, cause, effect, false))
        break
      case 'revoke included':
        inTurn.push(() => revokeIncluded(facts, cause, effect.of, effect.with))
        break
      case 'create account':
        inTurn.push(async () => void (await createAccount(facts, effect.of)))
        break
      case 'place with connector':
        inTurn.push(() => place(facts, effect))
        break
      case 'leave connector':
        inTurn.push(() => leave(facts, taskId, effect))
        break
      case 'leave webhook':
        atOnce.push(cancelOfStep(tx, world, tenantId, effect.stepId))
        break
      case 'ask webhook':
        atOnce.push(enqueue(tx, world, cause, askWebhook, asking(taskId, effect.stepId)))
        break
      case 'wake':
        atOnce.push(enqueue(tx, world, cause, taskDue, dueAt(taskId, effect.stepId, effect.at)))
        break
      case 'continue offboarding':
        atOnce.push(continueOffboarding(facts, effect.taskId))
        break
      case 'apply change':
        atOnce.push(
          enqueue(tx, world, serviceCause(world.tenant, changeApproved.kind), changeApproved, changeOf(taskId)),
        )
        break
    }
  const access = async (): Promise<void> => {
    for (const run of inTurn) await run()
  }
  await together([access(), ...atOnce])
  facts.forget()
}

/** Done by a job, in batches: someone may hold hundreds of entitlements. */
export const continueOffboarding = ({ tx, world }: Facts, taskId: string): Promise<void> =>
  enqueue(tx, world, serviceCause(world.tenant, offboardTask.kind), offboardTask, offboardingOf(taskId))

/** Waits for statements that were sent together, and throws the error of the first one that failed. */
export async function together(sent: readonly Promise<unknown>[]): Promise<void> {
  for (const each of await Promise.allSettled(sent)) if (each.status === 'rejected') throw each.reason
}

async function place(facts: Facts, effect: EffectOf<'place with connector'>): Promise<void> {
  const { tx, world, tenantId } = facts
  const { of, requests, generation, place: at } = effect
  const isNew = requests.some(({ wish }) => wish.accountId === '')
  const placed = await placeRequest(tx, world, requests, isNew ? await createAccount(facts, of) : '')
  for (const each of placed) await insertWait(tx, tenantId, { ...each, taskId: of.id, generation, place: at })
}

/** A task that continued in another way, or was closed, no longer waits for a connector. */
async function leave(
  facts: Facts,
  taskId: string,
  { generation, place: at }: EffectOf<'leave connector'>,
): Promise<void> {
  const { tx, world, tenantId } = facts
  for (const wait of await listWaits(tx, tenantId, { taskId })) {
    if (wait.generation !== generation || wait.place !== at) continue
    await releaseRequest(tx, world, wait)
    await deleteWait(tx, tenantId, wait)
  }
}
