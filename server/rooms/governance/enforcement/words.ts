import type { Reads } from '#kernel/sql.ts'
import { listApps } from './apps.ts'
import type { AppState, Enforcer } from './decide.ts'
import { type Asking, listEnforcement } from './find.ts'

type Ref = { appId: string; id: string }

/** Who carries out grants, for files that people read. */
function wordsOf(enforcer: Enforcer): string {
  if (enforcer.by === 'connector') return `Connector ${enforcer.connector.displayName}`
  if (enforcer.by === 'webhook') return 'Webhook'
  if (enforcer.by === 'people') return 'People'
  if (enforcer.by === 'another entitlement') return 'Another entitlement'
  return enforcer.by === 'bailiwick' ? 'Bailiwick' : 'Nobody (recorded only)'
}

/** The same for several entitlements, by `app/id`; the caller must see them. */
export async function enforcementWords(db: Reads, asking: Asking, refs: readonly Ref[]): Promise<Map<string, string>> {
  const found = await listEnforcement(db, asking, refs)
  return new Map([...found].map(([key, { grant }]) => [key, wordsOf(grant)]))
}

const stateWords: { readonly [state in AppState]: string } = {
  connected: 'Connected',
  manual: 'Manual',
  'records only': 'Records only',
  'built in': 'Built in',
}

/** The states of several apps, by id. */
export async function appStateWords(
  db: Reads,
  asking: Asking,
  appIds: readonly string[],
): Promise<Map<string, string>> {
  const found = await listApps(db, asking, appIds)
  return new Map(found.map(({ id, state }) => [id, stateWords[state]]))
}
