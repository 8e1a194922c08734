import { may } from '#authority/may.ts'
import { seesEveryone, sightOf } from '#authority/sight/index.ts'
import type { Call } from '#kernel/routes.ts'
import { currentOf, replay } from '../machine/fold.ts'
import type { Task } from '../machine/record.ts'
import { assigneesOf } from '../machine/unfold.ts'
import { getTask } from '../sight.ts'
import { listTaskEvents } from '../store.ts'
import { toldOf, whyUntold } from './decide.ts'
import { countGroup, countOwned, findPerson, findRisk, type LedTo, listLedTo } from './store.ts'

const ledToMax = 20

/**
 * What someone who decides a request sees beside it. The work and the counts of people are for those who decide the task now,
 * and for those who may read everyone.
 */
export async function lookBeside(call: Call, id: string) {
  const { db, tenant, actor } = call
  const task = await getTask(db, call, id)
  const state = replay(await listTaskEvents(db, tenant.id, task.id))
  const decides = currentOf(state)?.step.kind === 'approval' && assigneesOf(state).includes(actor.userId)
  const isAboutAccess = task.entitlementId !== ''
  const [person, risk, leadsTo, owns] = await Promise.all([
    decides || seesEveryone(actor) ? peopleBeside(call, task, isAboutAccess) : null,
    isAboutAccess ? findRisk(db, tenant.id, task) : '',
    isAboutAccess
      ? seen(call, await listLedTo(db, tenant.id, task, ledToMax + 1))
      : { list: [], hidden: 0, isMore: false },
    isAboutAccess ? countOwned(db, tenant.id, task) : [],
  ])
  return { task, person, risk, leadsTo, owns }
}

async function peopleBeside(call: Call, task: Task, isAboutAccess: boolean) {
  const { db, tenant, actor } = call
  const person = await findPerson(db, tenant.id, task.subjectUserId)
  if (!person) return null
  const seesAll = seesEveryone(actor) && may(actor, 'grants.read')
  const groups = [
    { by: 'department', value: person.department },
    { by: 'job title', value: person.jobTitle },
  ] as const
  const counted = await Promise.all(
    groups.map(async (group) => {
      const all = group.value === '' || !isAboutAccess ? null : await countGroup(db, tenant.id, task, group, call.now())
      return { ...group, told: toldOf(all, seesAll), why: whyUntold(group.value, all, seesAll) }
    }),
  )
  return { ...person, counted }
}

/** Those that the caller sees by name, and how many others there are. */
async function seen(call: Call, all: readonly LedTo[]) {
  const listed = all.slice(0, ledToMax)
  const isMore = all.length > ledToMax
  if (may(call.actor, 'entitlements.read')) return { list: listed, hidden: 0, isMore }
  const sights = await sightOf(call, call.db).entitlements(listed)
  const list = listed.filter(({ appId, id }) => sights.has(`${appId}/${id}`))
  return { list, hidden: listed.length - list.length, isMore }
}
