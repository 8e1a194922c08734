import { may } from '#authority/may.ts'
import { showNames } from '#authority/sight/index.ts'
import type { Call } from '#kernel/routes.ts'
import type { Reads } from '#kernel/sql.ts'
import { described, int32, listOf, type MessageOf, message, text } from '#kernel/wire.ts'
import { findUsers } from '#rooms/identity/users/index.ts'
import type { Assignee, Explained } from '../machine/task.ts'
import { type NameOf, whyAssigned, whyLeftOut } from './decide.ts'

/** More are counted, but not named. */
const namedMax = 20

const PersonMessage = message('bailiwick.v1.StepPerson', {
  userId: text(),
  displayName: text(),
  reason: described(text(), 'For programs: manager, appOwners, fallback, delegate and so on.'),
  why: described(text(), 'The same as a sentence.'),
  forUserId: described(text(), 'For a delegate: the person they represent.'),
})
const LeftOutMessage = message('bailiwick.v1.StepPersonLeftOut', {
  userId: text(),
  displayName: text(),
  why: text(),
})

/** The people of a step: the same wherever steps are explained. */
export const peopleFields = {
  people: described(listOf(PersonMessage), `Who can decide or provision it; the first ${namedMax}.`),
  peopleCount: int32(),
  leftOut: described(
    listOf(LeftOutMessage),
    `People whom the policy names but who cannot decide; the first ${namedMax}. Callers who may not see all tasks see only themselves here.`,
  ),
  leftOutCount: int32(),
}
export type PeopleView = MessageOf<typeof peopleFields>

export type Names = { nameOf: NameOf; show(assignees: readonly Assignee[], explained: Explained): PeopleView }

type Named = { assignees: readonly Assignee[]; explained: Explained }

/**
 * Names for the people of some steps, and how they are shown. Callers who may ask about a request or a task see by name who
 * decides it; people whom the policy names but who cannot decide are shown only to callers who see all tasks, and to
 * themselves.
 */
export async function namesFor(
  db: Reads,
  call: Call,
  steps: readonly Named[],
  others: readonly string[] = [],
): Promise<Names> {
  const seesAll = may(call.actor, 'tasks.read')
  const shownOut = ({ leftOut }: Explained) =>
    leftOut.filter(({ userId }) => seesAll || userId === call.actor.userId).slice(0, namedMax)
  const ids = new Set(others.filter((id) => id !== ''))
  for (const { assignees, explained } of steps) {
    for (const { userId, for: of } of assignees.slice(0, namedMax)) {
      ids.add(userId)
      if (of !== undefined) ids.add(of)
    }
    for (const { userId } of shownOut(explained)) ids.add(userId)
  }
  showNames(call, [...ids])
  const users = await findUsers(db, call.tenant.id, [...ids], call.now())
  const known = new Map(users.map(({ id, displayName }) => [id, displayName]))
  const nameOf: NameOf = (id) => known.get(id) ?? id
  return {
    nameOf,
    show: (assignees, explained) => ({
      people: assignees.slice(0, namedMax).map((each) => ({
        userId: each.userId,
        displayName: nameOf(each.userId),
        reason: each.why,
        why: whyAssigned(each, nameOf),
        forUserId: each.for ?? '',
      })),
      peopleCount: assignees.length,
      leftOut: shownOut(explained).map(({ userId, why }) => ({
        userId,
        displayName: nameOf(userId),
        why: whyLeftOut(why),
      })),
      leftOutCount: explained.leftOut.length,
    }),
  }
}
