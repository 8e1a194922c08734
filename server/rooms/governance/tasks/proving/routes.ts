import { route } from '#authority/route.ts'
import { showNames } from '#authority/sight/index.ts'
import { Download } from '#kernel/download.ts'
import type { Route } from '#kernel/routes.ts'
import { described, flag, int32, listOf, message, nested, oneOf, required, text, timestamp } from '#kernel/wire.ts'
import { proofNames, proofOnWire } from '#rooms/governance/enforcement/index.ts'
import { countWriting } from '../busy.ts'
import { attach, lookAtProvisioning, readAttachment } from './actions.ts'
import { type Check, fileBytesMax, filesMax, mediaTypes } from './decide.ts'

const Attachment = message('bailiwick.v1.TaskAttachment', {
  id: text(),
  policyStepId: text(),
  name: text(),
  mediaType: text(),
  byteCount: int32(),
  addedByUserId: text(),
  addedAt: timestamp(),
})
type Listed = Awaited<ReturnType<typeof attach>>
const onWire = ({ stepId: policyStepId, addedBy: addedByUserId, ...rest }: Listed) => ({
  ...rest,
  policyStepId,
  addedByUserId,
})

const checks = [
  'PROVISION_CHECK_UNSPECIFIED',
  'PROVISION_CHECK_CONFIRMED',
  'PROVISION_CHECK_NOT_CONFIRMED',
  'PROVISION_CHECK_WAITING',
] as const
const checkOnWire: { [is in Check['is']]: (typeof checks)[number] } = {
  confirmed: 'PROVISION_CHECK_CONFIRMED',
  'not confirmed': 'PROVISION_CHECK_NOT_CONFIRMED',
  waiting: 'PROVISION_CHECK_WAITING',
}

async function* inOnePiece(content: Buffer): AsyncGenerator<Uint8Array> {
  yield content
}

const service = 'bailiwick.v1.TaskProvisioning'
const files = '/api/v1/tasks/{task_id}/attachments' as const

export const provingRoutes: Route[] = [
  route({
    id: `${service}.Get`,
    at: 'GET /api/v1/tasks/{task_id}/provisioning',
    summary:
      'Get how people make the change of a task: by when, what they attached, and whether imports of the app have confirmed it since.',
    rule: 'own-tasks.read',
    reply: message('bailiwick.v1.TaskProvisioningResponse', {
      taskId: text(),
      dueAt: described(timestamp(), 'By when the change is to be made; null if nobody is asked to make it now.'),
      proof: described(oneOf(proofNames), 'What is required to mark it as done; unspecified if nobody is asked now.'),
      attachments: listOf(Attachment),
      check: described(
        oneOf(checks),
        'Whether the app confirms what a person marked as done, by the next sync of its connector or the next full import. Unspecified if no person did.',
      ),
      checkedAt: described(timestamp(), 'When that was imported; null while it waits for an import.'),
      checkedByConnector: flag(),
    }),
    async handle(call, { path }) {
      const { task, dueAt, proof, attachments, check } = await lookAtProvisioning(call, path.task_id)
      showNames(
        call,
        attachments.map(({ addedBy }) => addedBy),
      )
      return {
        taskId: task.id,
        dueAt,
        proof: proof ? proofOnWire[proof] : 'MANUAL_PROOF_UNSPECIFIED',
        attachments: attachments.map(onWire),
        check: check ? checkOnWire[check.is] : 'PROVISION_CHECK_UNSPECIFIED',
        checkedAt: check?.at ?? null,
        checkedByConnector: check?.byConnector ?? false,
      }
    },
  }),
  route({
    id: `${service}.Attach`,
    at: `POST ${files}`,
    summary: `Attach a file to the change that the caller is asked to make: PNG, JPEG, PDF, text or CSV, at most ${fileBytesMax / 1024 / 1024} MiB, and ${filesMax} for a step.`,
    rule: 'tasks.act',
    stream: mediaTypes,
    query: message('bailiwick.v1.AttachToTaskRequest', {
      policyStepId: required(text(), 'must be given'),
      name: required(text({ maxLength: 300 }), 'must be given'),
    }),
    reply: message('bailiwick.v1.AttachToTaskResponse', { attachment: nested(Attachment) }),
    async handle(call, { path, query, stream }) {
      countWriting(call)
      const { policyStepId: stepId, name } = query
      return { attachment: onWire(await attach(call, path.task_id, { stepId, name, stream })) }
    },
  }),
  route({
    id: `${service}.Download`,
    at: `GET ${files}/{attachment_id}`,
    summary: 'Download a file that was attached to a task.',
    rule: 'own-tasks.read',
    download: mediaTypes,
    reply: message('bailiwick.v1.DownloadTaskAttachmentResponse', {}),
    async handle(call, { path }) {
      const { content, mediaType, name } = await readAttachment(call, path.task_id, path.attachment_id)
      return new Download(mediaType, name, inOnePiece(content)) as never
    },
  }),
]
