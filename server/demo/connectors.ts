import type { ConnectorStory, SyncStory } from '#rooms/records/connectors/index.ts'
import type { Company } from './company.ts'
import { diceOf } from './dice.ts'

type Counts = Exclude<SyncStory['came'], string>
type Kind = Counts[number]['kind']

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** The connectors of the demo company, with what they brought in the last weeks. They run nowhere: both are silent. */
export const connectorsOf = (company: Company, now: Date): ConnectorStory[] => [
  {
    ...runBy(company, 'CRM', 'tooling-2.larkfield.example'),
    displayName: 'CRM',
    description: 'Accounts, roles and territories.',
    catalogId: 'baton-salesforce',
    reported: {
      name: 'Salesforce',
      package: 'baton-salesforce',
      version: '0.2.14',
      os: 'linux',
      hostname: 'tooling-2.larkfield.example',
      capabilities: ['sync', 'provision'],
      resourceTypes: [
        { id: 'user', capabilities: ['sync'] },
        { id: 'role', capabilities: ['sync', 'provision'] },
        { id: 'territory', capabilities: ['sync', 'provision'] },
      ],
    },
    createdAt: new Date(now.getTime() - 20 * dayMs),
    lastSeenAt: new Date(now.getTime() - 9 * 60_000),
    syncs: history(company, 'CRM', now, 19),
  },
  {
    ...runBy(company, 'Data Warehouse', 'warehouse-1.larkfield.example'),
    displayName: 'Warehouse database',
    description: 'Roles and datasets of the data warehouse.',
    catalogId: 'baton-postgresql',
    reported: {
      name: 'PostgreSQL',
      package: 'baton-postgresql',
      version: '0.1.31',
      os: 'linux',
      hostname: 'warehouse-1.larkfield.example',
      capabilities: ['sync'],
      resourceTypes: [
        { id: 'role', capabilities: ['sync'] },
        { id: 'database', capabilities: ['sync'] },
      ],
    },
    createdAt: new Date(now.getTime() - 9 * dayMs),
    lastSeenAt: new Date(now.getTime() - 31 * hourMs),
    syncs: [
      ...history(company, 'Data Warehouse', new Date(now.getTime() - 2 * dayMs), 7),
      {
        at: new Date(now.getTime() - 32 * hourMs),
        seconds: 34,
        byteCount: 0,
        came: 'failed to connect to `host=warehouse-1 user=bailiwick database=warehouse`: connection refused',
      },
    ],
  },
]

function runBy(company: Company, appName: string, hostId: string) {
  const app = company.apps.find(({ displayName }) => displayName === appName)
  if (!app) throw new Error(`the demo company has no app ${appName}`)
  return { appId: app.id, hostId, agent: 'baton-sdk/0.9.4 grpc-go/1.75.0' }
}

/** One sync per day: the first imports everything, later ones a few changes. */
function history(company: Company, appName: string, until: Date, days: number): SyncStory[] {
  const dice = diceOf(`connector ${appName}`)
  const { id: appId } = company.apps.find(({ displayName }) => displayName === appName) as { id: string }
  const now = {
    account: company.accounts.filter((each) => each.appId === appId).length,
    grant: company.grants.filter((each) => each.appId === appId).length,
    entitlement: company.entitlements.filter((each) => each.appId === appId).length,
    resource: company.resources.filter((each) => each.appId === appId).length,
    resource_type: company.resourceTypes.filter((each) => each.appId === appId).length,
  }
  const kinds = Object.keys(now) as (keyof typeof now)[]
  const upTo = (kind: Kind, most: number): number => (kind === 'account' || kind === 'grant' ? dice.below(most + 1) : 0)
  return Array.from({ length: days + 1 }, (_, day): SyncStory => {
    const counts: Counts = kinds.map((kind) => {
      const [added, changed, removed] = day === 0 ? [now[kind], 0, 0] : [upTo(kind, 6), upTo(kind, 4), upTo(kind, 3)]
      return { kind, added, changed, unchanged: now[kind] - added - changed, removed }
    })
    return {
      at: new Date(until.getTime() - (days - day) * dayMs - hourMs),
      seconds: 20 + dice.below(40),
      byteCount: 20_000 + dice.below(4000),
      came: counts,
    }
  })
}
