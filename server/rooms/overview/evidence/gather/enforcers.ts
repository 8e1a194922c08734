import type { Call } from '#kernel/routes.ts'
import { profilesAppId } from '#rooms/foundation/writes/index.ts'
import { enforcementOfEntitlements } from '#rooms/governance/enforcement/index.ts'
import type { Row } from './rows.ts'

const refsAtOnce = 100

const refOf = ({ appId, entitlementId }: Pick<Row, 'appId' | 'entitlementId'>): string => `${appId} ${entitlementId}`

type Enforced = Awaited<ReturnType<typeof enforcementOfEntitlements>>[number]

const words: { readonly [by in Enforced['by']]: string } = {
  ENFORCED_BY_UNSPECIFIED: '',
  ENFORCED_BY_CONNECTOR: 'the connector',
  ENFORCED_BY_WEBHOOK: 'a webhook',
  ENFORCED_BY_PEOPLE: 'people',
  ENFORCED_BY_ANOTHER_ENTITLEMENT: 'the entitlement that includes it',
  ENFORCED_BY_BAILIWICK: 'Bailiwick itself',
  ENFORCED_BY_NOBODY: 'nobody: they are only recorded',
}

function wordsOf({ by, connectorDisplayName, asked }: Enforced): string {
  if (by === 'ENFORCED_BY_CONNECTOR') return `${words[by]} ${connectorDisplayName}`
  return by === 'ENFORCED_BY_PEOPLE' && asked ? asked.words : words[by]
}

/** Who carries out changes of the entitlements of some rows now, in words. */
export async function findEnforcers(call: Call, rows: readonly Row[]): Promise<(row: Row) => string> {
  const refs = [...new Map(rows.map((row) => [refOf(row), { appId: row.appId, id: row.entitlementId }])).values()]
  const found = new Map<string, string>()
  for (let from = 0; from < refs.length; from += refsAtOnce)
    for (const each of await enforcementOfEntitlements(call, refs.slice(from, from + refsAtOnce)))
      found.set(refOf({ appId: each.appId, entitlementId: each.id }), wordsOf(each))
  return (row) => found.get(refOf(row)) ?? ''
}

/** Membership in access profiles: Bailiwick itself is the app. */
export const isBuiltIn = ({ appId }: Row): boolean => appId === profilesAppId
