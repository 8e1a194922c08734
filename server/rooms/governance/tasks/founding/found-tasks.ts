import type { Tx } from '#kernel/sql.ts'
import { enqueue } from '#rooms/foundation/jobs/index.ts'
import { serviceCause } from '#rooms/foundation/systemlog/index.ts'
import { type Terms, termsOf } from '#rooms/governance/terms/index.ts'
import { findUsers } from '#rooms/identity/users/index.ts'
import { endExpired, lockExpired } from '#rooms/records/grants/index.ts'
import { carryOut } from '../effects/carry-out.ts'
import { dueAt, taskDue } from '../effects/job-names.ts'
import { Facts, type TenantWorld } from '../facts/facts.ts'
import { findFact } from '../facts/find.ts'
import { decided } from '../machine/decide.ts'
import { recordAccess, wakingAt } from '../machine/effect.ts'
import type { TaskEvent } from '../machine/event.ts'
import { currentOf, emptyState, isLastProvision } from '../machine/fold.ts'
import { newTask, type Snapshot, type TaskAbout } from '../machine/record.ts'
import type { Instance } from '../machine/task.ts'
import { assigneesOf, type Happening, type Ran, unfold } from '../machine/unfold.ts'
import { policyOf, routeBy, settingsOf } from '../route.ts'
import { insertPlacedEvents, type Placed, reserveNumbers } from '../store.ts'
import { insertParts, insertTasks } from './store.ts'

/** A request in the past, and what people did with it. */
export type Story = Pick<TaskAbout, 'appId' | 'entitlementId' | 'subjectUserId' | 'createdBy' | 'description'> & {
  kind: 'grant' | 'revoke'
  at: Date
  durationSeconds: number | null
  answers: { readonly [name: string]: unknown } | null
  isEmergency: boolean
  /** For a revocation of expired access: when it expired. */
  expiredAt: Date | null
  chapters: readonly Chapter[]
}

export type Chapter = {
  at: Date
  does: 'approve' | 'deny' | 'comment' | 'close' | 'provision-complete' | 'provision-errored'
  /** Null for the first of the current assignees. */
  by: string | null
  comment: string
}

/**
 * Creates the tasks that a tenant has from the beginning, without requests. Each goes through the state machine at the times
 * of its story: by its policy, with the people whom that selects, and with the access that results. Stories are in order of
 * time.
 */
export async function foundTasks(tx: Tx, world: TenantWorld, stories: readonly Story[]): Promise<number> {
  const first = await reserveNumbers(tx, world.tenant.id, stories.length)
  const names = await namesOf(tx, world, stories)
  const found: Told[] = []
  const known = new Map<string, Terms | null>()
  for (const [place, story] of stories.entries()) {
    const key = `${story.appId} ${story.entitlementId}`
    if (!known.has(key)) known.set(key, await termsOf(tx, world, story))
    const terms = known.get(key)
    if (!terms) throw new Error(`there is no entitlement ${story.entitlementId} to tell of`)
    const subjectName = names.get(story.subjectUserId) ?? ''
    found.push(await playStory(tx, world, story, { number: first + place, terms, subjectName }))
  }
  await insertTasks(
    tx,
    world.tenant.id,
    found.map(({ ran }) => ran.task),
  )
  await insertPlacedEvents(
    tx,
    world.tenant.id,
    found.flatMap(({ events }) => events),
  )
  const parts = (of: (told: Told) => readonly string[]) =>
    found.flatMap((told) => of(told).map((userId) => ({ taskId: told.ran.task.id, userId })))
  await insertParts(tx, world.tenant.id, {
    assignees: parts(({ ran }) => assigneesOf(ran.state)),
    actors: parts(({ actors }) => actors),
  })
  for (const { ran } of found) {
    const now = currentOf(ran.state)
    const runAt = wakingAt(now, world.now())
    if (now && runAt)
      await enqueue(tx, world, serviceCause(world.tenant, taskDue.kind), taskDue, dueAt(ran.task.id, now.id, runAt))
  }
  return found.length
}

type Told = { ran: Ran; events: Placed[]; actors: string[] }

async function namesOf(tx: Tx, world: TenantWorld, stories: readonly Story[]): Promise<Map<string, string>> {
  const ids = [...new Set(stories.map(({ subjectUserId }) => subjectUserId))]
  const users = await findUsers(tx, world.tenant.id, ids, world.now())
  return new Map(users.map(({ id, displayName }) => [id, displayName]))
}

async function playStory(
  tx: Tx,
  world: TenantWorld,
  story: Story,
  { number, terms, subjectName }: { number: number; terms: Terms; subjectName: string },
): Promise<Told> {
  const then = new Facts(tx, { ...world, now: () => story.at })
  const { kind, appId, entitlementId, subjectUserId, createdBy, description, isEmergency, expiredAt } = story
  const about: TaskAbout = {
    kind,
    appId,
    entitlementId,
    subjectUserId,
    createdBy,
    description,
    accountId: '',
    parentId: '',
    origin: expiredAt ? 'TASK_ORIGIN_TIME_REVOKE' : 'TASK_ORIGIN_WEBAPP',
    resourceTypeId: terms.resourceTypeId,
    resourceId: terms.resourceId,
    displayName: `${kind === 'grant' ? 'Grant' : 'Revoke'} ${terms.entitlementName}: ${subjectName}`,
    source: expiredAt ? { expiredAt: expiredAt.toISOString() } : {},
  }
  const durationSeconds = kind === 'grant' ? (story.durationSeconds ?? terms.maxSeconds) : null
  const task = newTask(then.world, { number, about, durationSeconds, isEmergency })
  if (expiredAt) await endAt(tx, world, story, expiredAt, task.id)
  const created: TaskEvent = { is: 'created', durationSeconds, answers: story.answers, isEmergency }
  const routed = await routeBy(then, task, { policyId: policyOf(story, terms), terms })
  const settings = expiredAt ? [] : [settingsOf(story, terms)]
  const opening = { events: [created, ...settings, routed], by: createdBy }
  let ran = await unfoldThen(then, { task, state: emptyState }, opening)
  const events = placed(ran, 0)
  const actors: string[] = [...ran.task.approverIds]
  for (const chapter of story.chapters) {
    const by = chapter.by ?? assigneesOf(ran.state)[0] ?? ''
    const at = new Facts(tx, { ...world, now: () => chapter.at })
    const before = ran
    ran = await unfoldThen(at, before, { ...whatIsDone(before, chapter, by), by })
    events.push(...placed(ran, before.task.version))
    actors.push(by)
  }
  return { ran, events, actors: actors.filter((id) => id !== '') }
}

/** Ends the access that expired at that time, as the periodic work would have done. */
async function endAt(tx: Tx, world: TenantWorld, { entitlementId }: Story, at: Date, endedBy: string): Promise<void> {
  const due = (await lockExpired(tx, world.tenant.id, at, sweepMax)).filter(
    (grant) => grant.entitlementId === entitlementId && grant.expiresAt.getTime() === at.getTime(),
  )
  if (due.length === 0) throw new Error(`nothing of ${entitlementId} ends at ${at.toISOString()}`)
  await endExpired(
    tx,
    world.tenant.id,
    due.map((grant) => ({ ...grant, endedBy })),
  )
}
const sweepMax = 1000

const placed = ({ task, events }: Ran, before: number): Placed[] =>
  events.map((event, place) => ({ ...event, taskId: task.id, number: before + 1 + place }))

/**
 * Grants the resulting access at once, because later stories depend on it. What would wait for a later time is not begun.
 */
async function unfoldThen(facts: Facts, before: Snapshot, happening: Happening): Promise<Ran> {
  const ran = await unfold(facts.world, before, happening, (of, need) => findFact(facts, of, need))
  const access = ran.effects.filter((effect) => effect.do === 'record access' || effect.do === 'grant included')
  await carryOut(facts, serviceCause(facts.world.tenant, taskDue.kind), ran.task.id, access)
  return ran
}

/** What someone does, if the task allows it: otherwise the story is wrong. */
function whatIsDone({ task, state }: Ran, { does, comment }: Chapter, by: string): Omit<Happening, 'by'> {
  if (does === 'comment') return { events: [{ is: 'commented', comment }] }
  const now = currentOf(state)
  const acted: TaskEvent = { is: 'acted', action: does, stepId: now?.id ?? '' }
  if (does === 'close') return { events: [acted, { is: 'closed', outcome: 'cancelled', comment }] }
  if (!now?.assignees.some(({ userId }) => userId === by)) throw wrong(task.displayName, does, now)
  if (does === 'approve' || does === 'deny') {
    const events = decided(state, { stepId: now.id, isApproval: does === 'approve', comment, revision: null })
    if ('why' in events) throw wrong(task.displayName, does, now)
    return { events: [acted, ...events] }
  }
  if (now.step.kind !== 'provision') throw wrong(task.displayName, does, now)
  if (does === 'provision-errored') {
    const ended: TaskEvent = { is: 'ended', stepId: now.id, outcome: 'failed', comment }
    return { events: [acted, ended, { is: 'closed', outcome: 'failed', comment: '' }] }
  }
  return {
    events: [acted, { is: 'ended', stepId: now.id, outcome: 'provisioned', comment }],
    effects: isLastProvision(state, now.place) ? [recordAccess({ task, state })] : [],
  }
}

const wrong = (name: string, does: string, now: Instance | null): Error =>
  new Error(`nobody can ${does} "${name}" at its step ${now?.step.kind ?? 'none'}`)
