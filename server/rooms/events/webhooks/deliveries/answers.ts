import type { FieldViolation } from '#kernel/refusals.ts'
import { list, type MessageOf, message, nested, struct, text } from '#kernel/wire.ts'
import type { Source } from './source.ts'

const commentLength = 10_000
const usersMax = 32
const stepsMax = 32
const version = text({ maxLength: 20, pattern: /^v1$/, hint: 'must be v1' })
const comment = text({ maxLength: commentLength })
const approvalAnswer = 'c1.webhooks.v1.ResponsePolicyApprovalStep'
const provisionAnswer = 'c1.webhooks.v1.ResponseProvisionStep'

const outcomes = {
  approve: nested(message(`${approvalAnswer}.ResponsePolicyApprovalStepApprove`, { comment })),
  deny: nested(message(`${approvalAnswer}.ResponsePolicyApprovalStepDeny`, { comment })),
  reassign: nested(
    message(`${approvalAnswer}.ResponsePolicyApprovalStepReassign`, {
      comment,
      newStepUserIds: list(text(), usersMax),
    }),
  ),
  replacePolicy: nested(
    message(`${approvalAnswer}.ResponsePolicyApprovalReplacePolicy`, {
      comment,
      // The room that asks knows what a step is.
      policySteps: list(struct(), stepsMax),
    }),
  ),
  complete: nested(message(`${provisionAnswer}.ResponseProvisionStepComplete`, { comment })),
  errored: nested(message(`${provisionAnswer}.ResponseProvisionStepErrored`, { comment })),
}

/** What a receiver can answer, regardless of the question. */
export const AnswerMessage = message(
  'bailiwick.v1.WebhookAnswer',
  { version, ...outcomes },
  'An answer to a delivery. A policy step is answered by one of approve, deny, reassign and replacePolicy; a provision step by complete or errored.',
)
type AnswerFields = MessageOf<(typeof AnswerMessage)['fields']>
type Outcomes = Omit<AnswerFields, 'version'>

/** An answer: exactly one outcome. */
export type Answer = {
  [K in keyof Outcomes]: { outcome: K } & NonNullable<Outcomes[K]>
}[keyof Outcomes]

const allowed = {
  test: [],
  approval: ['approve', 'deny', 'reassign', 'replacePolicy'],
  provision: ['complete', 'errored'],
} as const satisfies Record<Source, readonly (keyof Outcomes)[]>

export type Read = { answer: Answer | null } | { problems: FieldViolation[] }

/** Reads an answer. Nothing is guessed: anything but exactly one valid outcome is not an answer. A test has no answer. */
export function readAnswer(source: Source, json: unknown): Read {
  if (source === 'test') return { answer: null }
  const problems: FieldViolation[] = []
  const answer = AnswerMessage.read(json, '', problems)
  const names = allowed[source]
  const found = (Object.keys(outcomes) as (keyof Outcomes)[]).filter((name) => answer[name] !== null)
  const [only, ...others] = found
  if (problems.length === 0) {
    if (only === undefined || others.length > 0)
      problems.push({ field: '', description: `must have exactly one of ${names.join(', ')}` })
    else if (!(names as readonly string[]).includes(only))
      problems.push({
        field: only,
        description: `is not a valid answer to this event; answer with ${names.join(', ')}`,
      })
    else if (only === 'reassign' && answer.reassign?.newStepUserIds.length === 0)
      problems.push({ field: 'reassign.newStepUserIds', description: 'must not be empty' })
  }
  if (problems.length > 0) return { problems }
  return { answer: { outcome: only, ...answer[only as keyof Outcomes] } as Answer }
}

/** The same for the body of a response. */
export function readReply(source: Source, body: Buffer): Read {
  if (source === 'test') return { answer: null }
  const reply = body.toString('utf8').trim()
  if (reply === '') return { problems: [{ field: '', description: 'must not be empty' }] }
  try {
    return readAnswer(source, JSON.parse(reply))
  } catch {
    return { problems: [{ field: '', description: 'must be JSON' }] }
  }
}

export const problemText = (problems: readonly FieldViolation[]): string =>
  problems
    .slice(0, 5)
    .map(({ field, description }) => `${field === '' ? 'the body' : field} ${description}`)
    .join('; ')
