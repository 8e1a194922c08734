import { may } from '#authority/may.ts'
import { idPattern } from '#kernel/ids.ts'
import type { Call } from '#kernel/routes.ts'
import type { CauseKind, CauseRef } from './change.ts'
import {
  findConnectorTasks,
  findNamedApps,
  findNamedImports,
  findNamedProfiles,
  findNamedRuns,
  findNamedTasks,
} from './store/causes.ts'
import { findKnownUsers } from './store/people.ts'
import { causeOnWire } from './view.ts'

type Told = {
  kind: CauseKind
  id: string
  appId: string
  appEntitlementId: string
  connectorId: string
  displayName: string
  isDeleted: boolean
  ruleVersion: number
  ruleExpression: string
}

const plain = ({ kind, id }: { kind: CauseKind; id: string }): Told => ({
  kind,
  id,
  appId: '',
  appEntitlementId: '',
  connectorId: '',
  displayName: '',
  isDeleted: false,
  ruleVersion: 0,
  ruleExpression: '',
})

/**
 * Who or what each cause is. Callers see the names of what they may open; people are returned separately, as far as the
 * caller sees them. Deleted things keep the name that they had.
 */
export async function nameCauses(call: Call, causes: readonly (CauseRef | null)[]) {
  const { db, tenant, actor } = call
  const asked = causes.filter((cause) => cause !== null && idPattern.test(cause.id)) as CauseRef[]
  const ids = [...new Set(asked.map(({ id }) => id))]
  const appIds = [...new Set(asked.map(({ appId }) => appId))].filter((id) => idPattern.test(id))
  const [users, imports, runs, tasks, profiles, connectors, apps] = ids.length
    ? await Promise.all([
        findKnownUsers(db, tenant.id, ids),
        findNamedImports(db, tenant.id, ids),
        findNamedRuns(db, tenant.id, ids),
        findNamedTasks(db, tenant.id, ids),
        findNamedProfiles(db, tenant.id, ids),
        appIds.length > 0 ? findConnectorTasks(db, tenant.id, ids, appIds) : [],
        findNamedApps(db, tenant.id, ids),
      ])
    : [[], [], [], [], [], [], []]
  const known = new Map<string, Told>()
  const know = (kind: CauseKind, id: string, more: Partial<Told>): void => {
    known.set(id, { ...plain({ kind, id }), ...more })
  }
  for (const { id, name, isDeleted } of apps) {
    const displayName = may(actor, 'directories.read') ? name : ''
    know('directory', id, { appId: id, displayName, isDeleted })
  }
  for (const { id, isDeleted } of users) know('user', id, { isDeleted })
  for (const { id, startedAt } of imports)
    know('import', id, { displayName: may(actor, 'imports.read') ? startedAt.toISOString() : '' })
  for (const { id, number, name, isDeleted } of tasks)
    know('task', id, { displayName: may(actor, 'tasks.read') ? `#${number} ${name}` : '', isDeleted })
  for (const { id, name, isDeleted } of profiles)
    know('profile', id, { displayName: may(actor, 'profiles.read') ? name : '', isDeleted })
  for (const { id, appId, connectorId, name, isDeleted } of connectors)
    know('connector', id, { appId, connectorId, displayName: may(actor, 'apps.read') ? name : '', isDeleted })
  for (const run of runs) {
    const isSeen = may(actor, 'rules.read')
    know('rule', run.id, {
      appId: run.appId,
      appEntitlementId: run.entitlementId,
      displayName: isSeen ? run.name : '',
      isDeleted: run.isDeleted,
      ruleVersion: isSeen ? run.version : 0,
      ruleExpression: isSeen ? run.expression : '',
    })
  }
  return causes.map((cause) => {
    if (!cause) return null
    const told = known.get(cause.id)
    // If nothing has the id any more, only its kind is returned.
    const { kind, ...rest } = told && (cause.kind === 'unspecified' || cause.kind === told.kind) ? told : plain(cause)
    return { ...rest, kind: causeOnWire(kind) }
  })
}
