import type { Notice, Place } from './notice.ts'
import type { ToldTask } from './told.ts'
import { summarise, writeNotice } from './write.ts'

const task: ToldTask = {
  id: '2sample0000000000000000000',
  number: 4711,
  kind: 'grant',
  title: 'Grant Production database: Ada Marlow',
  description: 'I am on call this week and need to look into slow queries.',
  subject: 'Ada Marlow',
  requester: 'Ada Marlow',
  app: 'Ledger',
  entitlement: 'Production database',
  stepKind: 'approval',
  stepDueAt: null,
  outcome: null,
  isEmergency: false,
  durationSeconds: 604_800,
}
const at = new Date('2026-03-02T09:30:00Z')

/** Every message with invented facts, in the order of the settings. */
export function sampleNotices(place: Place): Readonly<Record<string, Notice>> {
  const write = (told: Parameters<typeof writeNotice>[1]): Notice => writeNotice(place, told)
  const work = { ...task, stepKind: 'provision' }
  const all = {
    approvalNeeded: write({ kind: 'approvalNeeded', task }),
    provisioningRequest: write({ kind: 'provisioningRequest', task: work }),
    requestCreated: write({ kind: 'requestCreated', task }),
    commentOnRequest: write({
      kind: 'commentOnRequest',
      task,
      by: 'Jonas Reyes',
      comment: 'Is read access enough?\nThen <Replica> would do.',
    }),
    accessProvisioned: write({ kind: 'accessProvisioned', task: { ...task, outcome: 'done' }, comment: '' }),
    completion: write({
      kind: 'completion',
      task: { ...task, outcome: 'denied' },
      comment: 'Please use the replica for this.',
    }),
    taskReminders: write({ kind: 'taskReminders', task, since: at }),
    expiringAccess: write({
      kind: 'expiringAccess',
      entitlement: task.entitlement,
      app: task.app,
      holder: '',
      endsAt: new Date('2026-03-05T17:00:00Z'),
      url: `${place.origin}/me`,
    }),
    connectorIssues: write({
      kind: 'connectorIssues',
      connector: 'Ledger production',
      app: 'Ledger',
      state: 'failed',
      path: '/connectors',
    }),
    system: write({
      kind: 'system',
      about: 'alert',
      message: 'Set the roles of Jonas Reyes',
      by: 'Ada Marlow',
      at,
      path: '/log',
    }),
    credentialExpiring: write({
      kind: 'system',
      about: 'credential',
      name: 'Nightly export',
      owner: '',
      endsAt: new Date('2026-03-09T00:00:00Z'),
      path: '/settings/credentials',
    }),
  }
  const several = [all.approvalNeeded, all.commentOnRequest, all.expiringAccess, all.completion]
  return { ...all, summary: summarise(place, several, 'summary'), digest: summarise(place, several, 'digest') }
}
