import type { NameThings } from '#rooms/foundation/systemlog/index.ts'
import { findAppNames, findNamed } from './store.ts'

/** The things that ids identify, of any kind: two statements, however many ids. */
export const nameThings: NameThings = async (db, tenantId, ids) => {
  if (ids.length === 0) return []
  const rows = await findNamed(db, tenantId, ids)
  const appIds = [...new Set(rows.map(({ appId }) => appId).filter((id) => id !== ''))]
  const apps = appIds.length === 0 ? [] : await findAppNames(db, tenantId, appIds)
  const nameOf = new Map(apps.map(({ id, name }) => [id, name]))
  return rows.map((row) => ({ ...row, appName: nameOf.get(row.appId) ?? '' }))
}
