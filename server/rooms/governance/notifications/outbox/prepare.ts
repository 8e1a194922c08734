import type { Tenancy } from '#kernel/routes.ts'
import type { World } from '#kernel/world.ts'
import type { Kind } from '../kinds.ts'
import type { NoticedData } from '../noticed.ts'
import {
  contactAddress,
  isAdministrator,
  listKeepers,
  listOperationsContacts,
  listPrincipalOwners,
  listSecurityContacts,
} from '../people.ts'
import type { Notice, Place } from '../templates/notice.ts'
import type { Told } from '../templates/told.ts'
import { summarise, writeNotice } from '../templates/write.ts'
import {
  findConnectorName,
  findCredentialFacts,
  findEndingGrant,
  findNames,
  findTaskFacts,
  type TaskFacts,
} from './facts-store.ts'
import { type Claimed, listOfMessage, type ToldNotification } from './store.ts'

const notificationsMax = 1_000

/** The data of one kind of notification. */
type Field<K extends string> = Extract<NoticedData, Record<K, unknown>>
const has = <K extends string>(data: NoticedData, name: K): data is Field<K> => name in data

export type Prepared = {
  notice: Notice
  /** The one task that it is about; empty if it is about several things. */
  taskId: string
  /** The notifications that it contains: a reminder is followed by the next one. */
  told: readonly ToldNotification[]
}

/**
 * The current content of a message. What no longer applies is left out: a step that was decided, access that was extended, a
 * task that its reader may no longer see. Null if nothing is left.
 */
export async function prepare(
  world: World,
  tenant: Tenancy,
  place: Place,
  message: Pick<Claimed, 'id' | 'userId' | 'form'>,
  isWanted: (kind: Kind) => boolean,
): Promise<Prepared | null> {
  const rows = (await listOfMessage(world.db, tenant.id, message.id, notificationsMax)).filter(({ kind }) =>
    isWanted(kind),
  )
  const taskIds = [...new Set(rows.map(({ taskId }) => taskId).filter((id) => id !== ''))]
  const tasks = await findTaskFacts(world.db, tenant.id, taskIds, message.userId)
  const authors = rows.flatMap(({ data }) => (has(data, 'byUserId') ? [data.byUserId] : []))
  const names = await findNames(world.db, tenant.id, authors)
  const told: { row: ToldNotification; notice: Notice }[] = []
  const reading = { world, tenant, place, readerId: message.userId, tasks, names }
  for (const row of rows) {
    const facts = await factsOf(row, reading)
    if (facts) told.push({ row, notice: writeNotice(place, facts) })
  }
  const [first] = told
  if (!first) return null
  const about = new Set(told.map(({ row }) => row.taskId))
  return {
    notice:
      told.length === 1 && message.form !== 'digest'
        ? first.notice
        : summarise(
            place,
            told.map(({ notice }) => notice),
            message.form === 'digest' ? 'digest' : 'summary',
          ),
    taskId: about.size === 1 ? first.row.taskId : '',
    told: told.map(({ row }) => row),
  }
}

/** A chat has no single reader: it gets everything that its organization chose to post there. */
const isChat = (readerId: string): boolean => readerId === ''

const isPartyTo = (task: TaskFacts, readerId: string): boolean =>
  isChat(readerId) || task.createdBy === readerId || task.subjectUserId === readerId || task.isAssigned || task.hasActed

type Reading = {
  world: World
  tenant: Tenancy
  place: Place
  readerId: string
  tasks: ReadonlyMap<string, TaskFacts>
  names: ReadonlyMap<string, string>
}

async function factsOf(
  { kind, taskId, stepId, data, createdAt }: ToldNotification,
  { world, tenant, place, readerId, tasks, names }: Reading,
): Promise<Told | null> {
  if (taskId !== '') {
    const task = tasks.get(taskId)
    return task ? aboutTask(task, readerId, { kind, stepId, data, createdAt }, names) : null
  }
  const { db } = world
  if (kind === 'expiringAccess' && has(data, 'grantId')) {
    const grant = await findEndingGrant(db, tenant.id, data)
    if (!grant) return null
    const holder = isChat(readerId) ? grant.holder : ''
    const { entitlement, app } = grant
    return { kind, entitlement, app, holder, endsAt: new Date(data.endsAt), url: `${place.origin}/me` }
  }
  if (kind === 'connectorIssues' && has(data, 'connectorId')) {
    const { connectorId, appId, state } = data
    const named = await findConnectorName(db, tenant.id, connectorId)
    const keepers =
      contactAddress(readerId) === null
        ? () => listKeepers(db, world, tenant.id, data)
        : () => listOperationsContacts(db, world, tenant.id)
    const isKeeper = isChat(readerId) || (await keepers()).includes(readerId)
    return named && isKeeper ? { kind, ...named, state, path: `/apps/${appId}/connectors/${connectorId}` } : null
  }
  if (kind !== 'system') return null
  if (has(data, 'credentialId')) {
    const found = await findCredentialFacts(db, tenant.id, data.credentialId)
    if (!found || found.endsAt?.toISOString() !== data.endsAt) return null
    const people = found.isPrincipal ? await listPrincipalOwners(db, world, tenant.id, found.userId) : [found.userId]
    if (!isChat(readerId) && !people.includes(readerId)) return null
    const path = found.isPrincipal ? `/principals/${found.userId}` : '/settings/credentials'
    const owner = found.isPrincipal || isChat(readerId) ? found.owner : ''
    return { kind, about: 'credential', name: found.name, owner, endsAt: found.endsAt, path }
  }
  if (has(data, 'at')) {
    if (!isChat(readerId) && !(await isToldOfAlerts(world, tenant.id, readerId))) return null
    return { kind, about: 'alert', message: data.message, by: data.by, at: new Date(data.at), path: '/log' }
  }
  return null
}

const isToldOfAlerts = async (world: World, tenantId: number, readerId: string): Promise<boolean> =>
  contactAddress(readerId) === null
    ? isAdministrator(world, tenantId, readerId)
    : (await listSecurityContacts(world.db, world, tenantId)).includes(readerId)

function aboutTask(
  task: TaskFacts,
  readerId: string,
  { kind, stepId, data, createdAt }: Pick<ToldNotification, 'kind' | 'stepId' | 'data' | 'createdAt'>,
  names: ReadonlyMap<string, string>,
): Told | null {
  const waits = task.isOpen && task.stepId === stepId && (isChat(readerId) || task.isAssigned)
  if (kind === 'approvalNeeded' || kind === 'provisioningRequest') return waits ? { kind, task } : null
  if (kind === 'taskReminders')
    return waits ? { kind, task, since: has(data, 'since') ? new Date(data.since) : createdAt } : null
  if (!isPartyTo(task, readerId)) return null
  if (kind === 'requestCreated') return { kind, task }
  if (kind === 'commentOnRequest' && has(data, 'byUserId'))
    return { kind, task, by: names.get(data.byUserId) ?? '', comment: data.comment }
  if (kind === 'completion' || kind === 'accessProvisioned')
    return { kind, task, comment: has(data, 'comment') ? data.comment : '' }
  return null
}
