import { route } from '#authority/route.ts'
import type { Call, Route } from '#kernel/routes.ts'
import { transact } from '#kernel/sql.ts'
import { described, flag, int64, list, message, nested, oneOf, text, timestamp } from '#kernel/wire.ts'
import { recordChange } from '../record.ts'
import { findHead, findSeal } from '../seals.ts'
import type { Verification } from './verification.ts'
import { listAuthentic, verifying } from './verify.ts'

const VerificationMessage = message(
  'bailiwick.v1.SystemLogVerification',
  {
    id: text(),
    by: described(oneOf(['VERIFIED_BY_SERVER', 'VERIFIED_BY_USER', 'VERIFIED_BY_COMMAND']), 'What started it.'),
    byUserId: text(),
    byName: described(text(), 'The user, or who ran the command on which machine; empty for the server itself.'),
    startedAt: timestamp(),
    finishedAt: timestamp(),
    walkBeganAt: described(
      timestamp(),
      'Everything after this time up to upToLink was read; events that were verified before are not read again for a week.',
    ),
    fromLink: described(int64(), 'The links after this one were read.'),
    upToLink: int64(),
    upToTime: described(timestamp(), 'When the last event up to there occurred.'),
    eventCount: described(int64(), 'How many events were read.'),
    isComplete: described(flag(), 'False if more events follow, which are verified next.'),
    findingCount: int64(),
    findings: described(list(text()), 'The first 20 findings: events and links that were changed.'),
  },
  'A verification of the chain of the system log.',
)
const State = message('bailiwick.v1.SystemLogVerificationState', {
  latest: described(nested(VerificationMessage), 'Null if the log was not verified yet.'),
  links: described(int64(), 'How many links the chain has now.'),
})

const kindNames = { server: 'VERIFIED_BY_SERVER', user: 'VERIFIED_BY_USER', command: 'VERIFIED_BY_COMMAND' } as const

async function stateOf(call: Call, latest: Verification | null) {
  const head = await findHead(call.db, call.tenant.id)
  const seal = latest ? await findSeal(call.db, call.tenant.id, latest.sealNumber) : null
  return {
    links: head?.sealNumber ?? 0,
    latest: latest && {
      id: latest.id,
      by: kindNames[latest.byKind],
      byUserId: latest.byId,
      byName: latest.byName,
      startedAt: latest.startedAt,
      finishedAt: latest.finishedAt,
      walkBeganAt: latest.walkBeganAt,
      fromLink: latest.fromSeal,
      upToLink: latest.sealNumber,
      upToTime: seal?.latestAt ?? null,
      eventCount: latest.eventCount,
      isComplete: latest.isComplete,
      findingCount: latest.findingCount,
      findings: latest.findings.map(({ what, eventId, sealNumber }) =>
        [eventId && `event ${eventId}`, sealNumber && `link ${sealNumber}`, what].filter(Boolean).join(': '),
      ),
    },
  }
}

export const verificationRoutes: readonly Route[] = [
  route({
    id: 'bailiwick.v1.SystemLog.Verification',
    at: 'GET /api/v1/systemlog/verification',
    summary:
      'Get the last verification of the system log: its time, who started it, the last verified link, and the findings.',
    rule: 'systemlog.read',
    reply: State,
    async handle(call) {
      const [latest = null] = await listAuthentic(call, call.db, call.tenant.id)
      return stateOf(call, latest)
    },
  }),
  route({
    id: 'bailiwick.v1.SystemLog.Verify',
    at: 'POST /api/v1/systemlog/verification',
    summary:
      'Verify the system log now: what was recorded since the last verification, or all of it. It takes a few seconds at most; if the log is longer, the server verifies the rest afterwards.',
    rule: 'systemlog.verify',
    body: message('bailiwick.v1.VerifySystemLogRequest', {
      isWhole: described(flag(), 'Also read events that were verified before.'),
    }),
    reply: State,
    async handle(call, { body: { isWhole } }) {
      const { userId, name } = call.actor
      const by = { byKind: 'user', byId: userId, byName: name } as const
      const done = await call.memory(verifying).ask(call.tenant.id, by, isWhole)
      const found = done.findingCount === 0 ? 'no changes found' : `${done.findingCount} findings`
      const { id, sealNumber: upToLink, eventCount, findingCount } = done
      const data = { verificationId: id, upToLink, eventCount, findingCount }
      const touched = { type: 'system log', id: call.tenant.publicId, data }
      await transact(call.db, (tx) => recordChange(tx, call, 'read', `Verified the system log: ${found}`, [touched]))
      return stateOf(call, done)
    },
  }),
]
