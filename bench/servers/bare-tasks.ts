import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { openDatabase } from '#database/open.ts'
import { actionsOf } from '../../server/rooms/governance/tasks/machine/decide.ts'
import { replay } from '../../server/rooms/governance/tasks/machine/fold.ts'
import { searchTasks, type TaskFilter } from '../../server/rooms/governance/tasks/searching/store.ts'
import { listEventsOf } from '../../server/rooms/governance/tasks/store.ts'
import { taskOnWire } from '../../server/rooms/governance/tasks/view.ts'

// The floor of a page of tasks: the same SQL through the same driver, the same JSON. No token, no tenant by host, no page
// token, no rules about who sees what.
const { dataDir, tenantId, asked } = JSON.parse(process.argv[2] as string) as {
  dataDir: string
  tenantId: number
  /** Searches, in turns: what filters, and who asks. */
  asked: readonly { userId: string; filter: Partial<TaskFilter> }[]
}
const { db } = await openDatabase({ from: { dataDir, purpose: 'command' } })

const all: TaskFilter = {
  ids: [],
  excludeIds: [],
  appIds: [],
  excludeAppIds: [],
  entitlementIds: [],
  excludeEntitlementIds: [],
  resourceIds: [],
  resourceTypeIds: [],
  excludeResourceTypeIds: [],
  accountIds: [],
  subjectIds: [],
  openerIds: [],
  openerOrSubjectId: '',
  assigneeLists: [],
  work: null,
  employmentStatuses: [],
  accountTypes: [],
  accountStatuses: [],
  wantsApproveReason: false,
  wantsDenyReason: false,
  isPending: null,
  isStuckOnly: false,
  partyIds: [],
  actorLists: [],
  accountOwnerIds: [],
  isOpen: null,
  kinds: [],
  stepKind: '',
  stepApprovers: [],
  outcomes: [],
  isEmergency: null,
  createdAfter: null,
  createdBefore: null,
  outcomeAfter: null,
  outcomeBefore: null,
  query: '',
  includeDeleted: false,
}
const facts = { isGrant: true, isOffboarding: false, isChange: false, hasEmergencyPolicy: false }
const noPaths = {
  accessReviewPath: '',
  appPath: '',
  appUserLastUsagePath: '',
  appUserPath: '',
  approversPath: '',
  createdByUserPath: '',
  entitlementsPath: '',
  identityUserPath: '',
  insightsPath: '',
  principalResourcePath: '',
  resourceBindingsPath: '',
  roleResourcePath: '',
  scopeResourcePath: '',
  stepApproversPath: '',
  userPath: '',
}

let turn = 0
async function answer(response: ServerResponse): Promise<void> {
  const { userId, filter } = asked[turn++ % asked.length] as (typeof asked)[number]
  const newest = { filter: { ...all, ...filter }, sight: null, order: 'newest' } as const
  const rows = await searchTasks(db, tenantId, newest, { after: null, limit: 26 })
  const tasks = rows.slice(0, 25)
  const events = await listEventsOf(
    db,
    tenantId,
    tasks.map(({ id }) => id),
  )
  const list = tasks.map((task) => {
    const state = replay(events.get(task.id) ?? [])
    const person = { userId, isAdministrator: false, isRequester: false, isSubject: false }
    const actions = actionsOf(state, person, facts)
    const objectPermissions = { read: true, edit: actions.size > 1, delete: false }
    return { task: taskOnWire(task, state, actions, null), objectPermissions, ...noPaths }
  })
  const body = JSON.stringify({ list, expanded: [], nextPageToken: 'more' })
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
  response.end(body)
}
const server = createServer((request, response) => {
  request.resume()
  request.on('end', () => void answer(response))
})
server.keepAliveTimeout = 72_000
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port))
