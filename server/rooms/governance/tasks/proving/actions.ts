import type { May } from '#authority/proof.ts'
import { invalid, Refusal } from '#kernel/refusals.ts'
import type { BodyStream, Call } from '#kernel/routes.ts'
import { transact } from '#kernel/sql.ts'
import { carry } from '../carry.ts'
import { Facts } from '../facts/facts.ts'
import { currentOf, replay } from '../machine/fold.ts'
import type { Task } from '../machine/record.ts'
import type { TaskState } from '../machine/task.ts'
import { allowedTo } from '../present.ts'
import { stepNotCurrent } from '../refuse.ts'
import { getTask, holdTask, isNumber } from '../sight.ts'
import { listTaskEvents } from '../store.ts'
import { allowing } from '../verdict.ts'
import { type Check, checkOf, fileBytesMax, filesMax, isOfType, nameOf, tenantBytesMax } from './decide.ts'
import {
  type Attachment,
  countBytes,
  findAttachment,
  findReadings,
  insertAttachment,
  listAttachments,
  listFound,
} from './store.ts'

const purpose = 'task attachment'

/** Reads no more than a file may have: a longer one is refused while it arrives. */
async function readFile({ source }: BodyStream): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  let count = 0
  for await (const piece of source) {
    count += piece.length
    if (count > fileBytesMax) throw new Refusal('FILE_TOO_LARGE', `A file can have at most ${fileBytesMax} bytes.`)
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}

/** Attaches a file to the change that the caller is asked to make. Whoever sees the task sees it, and nobody changes it. */
export async function attach(
  call: May<'tasks.act'>,
  id: string,
  { stepId, name, stream }: { stepId: string; name: string; stream: BodyStream },
): Promise<Attachment> {
  const taskId = isNumber(id) ? (await getTask(call.db, call, id)).id : id
  const content = await readFile(stream)
  if (content.length === 0) throw invalid({ field: 'body', description: 'must not be empty' })
  if (!isOfType(stream.type, content)) throw invalid({ field: 'body', description: `is no ${stream.type}` })
  return transact(call.db, async (tx) => {
    const before = await holdTask(tx, call, taskId)
    const { task, state } = before
    const cause = allowing(call, task, 'provision-complete', await allowedTo(tx, call, task, { state }))
    const now = currentOf(state)
    if (now?.id !== stepId) throw stepNotCurrent(task, stepId)
    if ((now.fileCount ?? 0) >= filesMax)
      throw new Refusal('TOO_MANY_FILES', `A step can have at most ${filesMax} files.`)
    if ((await countBytes(tx, call.tenant.id)) + content.length > tenantBytesMax)
      throw new Refusal('TOO_MANY_FILES', 'The files of this organization have reached their maximum size in all.')
    const attachment: Attachment = {
      id: call.newId(),
      ...{ stepId, name: nameOf(name), mediaType: stream.type, byteCount: content.length },
      addedBy: call.actor.userId,
      addedAt: call.now(),
    }
    const sealed = call.seals.seal(purpose, String(call.tenant.id), content, `${task.id} ${attachment.id}`)
    await insertAttachment(tx, call.tenant.id, task.id, { ...attachment, sealed })
    const { id: attachmentId, byteCount } = attachment
    const event = { is: 'attached', stepId, attachmentId, name: attachment.name, byteCount } as const
    await carry(new Facts(tx, call), cause, before, {
      events: [event],
      by: call.actor.userId,
      verb: 'Attached a file to',
    })
    return attachment
  })
}

/** The content of a file, for whoever sees its task. */
export async function readAttachment(call: Call, id: string, attachmentId: string) {
  const task = await getTask(call.db, call, id)
  const found = await findAttachment(call.db, call.tenant.id, task.id, attachmentId)
  if (!found)
    throw new Refusal('FILE_NOT_FOUND', `The task ${id} has no file ${attachmentId}.`, { metadata: { attachmentId } })
  const content = call.seals.open(purpose, String(call.tenant.id), found.sealed, `${task.id} ${found.id}`)
  if (!content) throw new Refusal('FILE_UNREADABLE', 'This file is not as this server stored it.')
  return { ...found, content }
}

/** The step in which a person said that the change is made; null if nobody has, or something else made it. */
const doneIn = ({ instances, generation }: TaskState) =>
  instances.findLast(
    ({ step, end, generation: own }) =>
      step.kind === 'provision' && own === generation && end?.outcome === 'provisioned' && end.by !== '',
  )

/** How people make the change of a task: by when, with which files, and what imports say of it since. */
export async function lookAtProvisioning(call: Call, id: string) {
  const { db, tenant } = call
  const task = await getTask(db, call, id)
  const state = replay(await listTaskEvents(db, tenant.id, task.id))
  const now = currentOf(state)
  const isByPeople = now?.step.kind === 'provision' && now.assignees.length > 0
  const done = doneIn(state)
  const { manualProof } = await transact(db, (tx) => new Facts(tx, call).holdings(task))
  return {
    task,
    dueAt: isByPeople ? now.expiresAt : null,
    proof: isByPeople ? manualProof : null,
    attachments: await listAttachments(db, tenant.id, task.id),
    check: done?.end ? await checkDone(call, task, done.end.at) : null,
  }
}

/** Judged from the records when it is read. Only readings count for which nothing else has changed the access since. */
async function checkDone(call: Call, task: Task, since: Date): Promise<Check | null> {
  const { kind } = task
  if (kind !== 'grant' && kind !== 'revoke') return null
  const all = await listFound(call.db, call.tenant.id, task)
  const others = all.filter(({ source, beganAt, endedAt, grantedBy }) =>
    kind === 'grant' ? grantedBy === task.id && endedAt !== null : source !== 'import' && beganAt > since,
  )
  const isHeldStill =
    kind === 'grant' && all.some(({ grantedBy, endedAt }) => grantedBy === task.id && endedAt === null)
  const ends = others.map(({ beganAt, endedAt }) => (kind === 'grant' ? (endedAt ?? beganAt) : beganAt).getTime())
  const until =
    isHeldStill || ends.length === 0 ? call.now() : new Date(kind === 'grant' ? Math.max(...ends) : Math.min(...ends))
  const readings = await findReadings(call.db, call.tenant.id, task.appId, { since, until })
  const found = all.filter(({ source }) => source === 'import')
  return checkOf(kind, since, { ...readings, found })
}
