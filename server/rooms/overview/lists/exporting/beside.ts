import type { Call } from '#kernel/routes.ts'
import type { Beside, Json } from '../list.ts'
import { listRiskLevels } from './store.ts'

/** The names of risk levels: the same for all pages of a file. */
export async function riskLevelsOf(call: Call): Promise<(id: unknown) => string> {
  const levels = new Map((await listRiskLevels(call.db, call.tenant.id)).map(({ id, value }) => [id, value]))
  return (id) => levels.get(String(id)) ?? ''
}

const textIn = (json: Json | null, name: string): string => {
  const value = json?.[name]
  return typeof value === 'string' ? value : ''
}

/** The data besides the items of one page. */
export function besideOf({ expanded }: Json, riskLevel: Beside['riskLevel']): Beside {
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
  }
}
