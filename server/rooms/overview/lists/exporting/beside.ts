import type { Call } from '#kernel/routes.ts'
import { appStateWords, enforcementWords } from '#rooms/governance/enforcement/index.ts'
import type { Beside, Json, List } from '../list.ts'
import { listRiskLevels } from './store.ts'

/** The names of risk levels: the same for all pages of a file. */
export async function riskLevelsOf(call: Call): Promise<(id: unknown) => string> {
  const levels = new Map((await listRiskLevels(call.db, call.tenant.id)).map(({ id, value }) => [id, value]))
  return (id) => levels.get(String(id)) ?? ''
}

type Enforced = Pick<Beside, 'grantedBy' | 'appState'>

/** The enforcement of what the items of one page are about, if columns show it. */
export async function enforcedOf(call: Call, list: List, items: readonly Json[]): Promise<Enforced> {
  const { entitlementOf, appOf } = list
  const [entitlements, apps] = await Promise.all([
    entitlementOf ? enforcementWords(call.db, call, items.map(entitlementOf)) : null,
    appOf ? appStateWords(call.db, call, items.map(appOf)) : null,
  ])
  return {
    grantedBy: (ref) => (ref && entitlements?.get(`${ref.appId}/${ref.id}`)) ?? '',
    appState: (id) => apps?.get(String(id)) ?? '',
  }
}

const textIn = (json: Json | null, name: string): string => {
  const value = json?.[name]
  return typeof value === 'string' ? value : ''
}

/** The data besides the items of one page. */
export function besideOf({ expanded }: Json, riskLevel: Beside['riskLevel'], enforced: Enforced): Beside {
  const all = (Array.isArray(expanded) ? expanded : []) as (Json | null)[]
  const names = new Map(
    all.flatMap((each) =>
      String(each?.['@type']).endsWith('.User')
        ? [[String(each?.['id']), textIn(each, 'displayName') || textIn(each, 'email')] as const]
        : [],
    ),
  )
  return {
    neighbour(path) {
      const place = /^\$\.expanded\[(\d+)\]$/.exec(String(path))?.[1]
      return place === undefined ? null : (all[Number(place)] ?? null)
    },
    userName: (id) => names.get(String(id)) ?? '',
    riskLevel,
    ...enforced,
  }
}
