import type { Call } from '#kernel/routes.ts'
import { profilesAppId } from '#rooms/foundation/writes/index.ts'
import { enforcementOfEntitlements } from '#rooms/governance/enforcement/index.ts'
import type { Row } from './rows.ts'

const refsAtOnce = 100

const refOf = ({ appId, entitlementId }: Pick<Row, 'appId' | 'entitlementId'>): string => `${appId} ${entitlementId}`

type Enforced = Awaited<ReturnType<typeof enforcementOfEntitlements>>[number]

function wordsOf({ by, connectorDisplayName, asked }: Enforced): string {
  switch (by) {
    case 'ENFORCED_BY_CONNECTOR':
      return `the connector ${connectorDisplayName}`
    case 'ENFORCED_BY_WEBHOOK':
      return 'a webhook'
    case 'ENFORCED_BY_PEOPLE':
      return asked?.words ?? 'people'
    case 'ENFORCED_BY_ANOTHER_ENTITLEMENT':
      return 'the entitlement that includes it'
    case 'ENFORCED_BY_BAILIWICK':
      return 'Bailiwick itself'
    default:
      return 'nobody: they are only recorded'
  }
}

/** Who carries out changes of the entitlements of some rows now, in words. */
export async function findEnforcers(call: Call, rows: readonly Row[]): Promise<(row: Row) => string> {
  const refs = [...new Map(rows.map((row) => [refOf(row), { appId: row.appId, id: row.entitlementId }])).values()]
  const words = new Map<string, string>()
  for (let from = 0; from < refs.length; from += refsAtOnce)
    for (const each of await enforcementOfEntitlements(call, refs.slice(from, from + refsAtOnce)))
      words.set(refOf({ appId: each.appId, entitlementId: each.id }), wordsOf(each))
  return (row) => words.get(refOf(row)) ?? ''
}

/** Membership in access profiles: Bailiwick itself is the app. */
export const isBuiltIn = ({ appId }: Row): boolean => appId === profilesAppId
