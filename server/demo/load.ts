import type { Route, Tenancy } from '#kernel/routes.ts'
import type { Tx } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import { insertOwners } from '#rooms/foundation/ownership/index.ts'
import { operatorCause } from '#rooms/foundation/systemlog/index.ts'
import { assignRole } from '#rooms/identity/roles/index.ts'
import { foundConnectors } from '#rooms/records/connectors/index.ts'
import { foundRules } from '#rooms/rules/automation/index.ts'
import { foundLarkfield } from './company.ts'
import { connectorsOf } from './connectors.ts'
import { loadImports } from './imports.ts'
import { loadPrincipals } from './principals.ts'
import { loadRequests } from './requests/load.ts'
import { rulesOf } from './rules.ts'

export type DemoCounts = {
  users: number
  apps: number
  resources: number
  entitlements: number
  accounts: number
  grants: number
  tasks: number
}

/** How much of it is there, from 0 to 1. */
export type Progress = (share: number) => void

// How much of the time has passed once each part is loaded, as measured.
const shares = { begun: 0.01, records: 0.7, settings: 0.75, requests: 0.97 }

/** Puts the demo company into a tenant; every human in it becomes a basic user. Answers how much that was. */
export async function loadDemoCompany(
  tx: Tx,
  world: World,
  /** `routes` are the operations of the API, by which its settings are made. */
  founding: { tenant: Tenancy; ownerId: string; routes: readonly Route[] },
  onProgress: Progress = () => {},
): Promise<DemoCounts> {
  const tenantId = founding.tenant.id
  // The tenant's first day: an operator has started the server.
  const first = operatorCause(founding.tenant, 'serve')
  const at = world.now()
  const company = foundLarkfield(at, world.newId)
  const { users, apps, resources, entitlements, accounts, grants, owners } = company
  const humans = users.filter(({ type }) => type === 'USER_TYPE_HUMAN')
  onProgress(shares.begun)
  await loadImports(tx, first, company, at, (share) => onProgress(share * shares.records))
  await assignRole(tx, world, tenantId, humans, 'system:user')
  await foundRules(tx, world, first, rulesOf(company))
  await insertOwners(tx, first, owners, at)
  // Owners of apps manage them: by their role, which owning alone does not give.
  const ownerIds = new Set(
    owners.flatMap((each) => (each.object.kind === 'app' && 'userId' in each ? [each.userId] : [])),
  )
  const appOwners = humans.filter(({ id }) => ownerIds.has(id))
  await assignRole(tx, world, tenantId, appOwners, 'system:application-admin')
  onProgress(shares.settings)
  const principals = await loadPrincipals(tx, world, first, humans)
  const tasks = await loadRequests(tx, world, founding, company)
  onProgress(shares.requests)
  // Last: requests of an app with a connector would wait for one that runs nowhere.
  await foundConnectors(tx, world, founding.tenant, connectorsOf(company, at))
  return {
    users: users.length + principals,
    apps: apps.length,
    resources: resources.length,
    entitlements: entitlements.length,
    accounts: accounts.length,
    grants: grants.length,
    tasks,
  }
}
