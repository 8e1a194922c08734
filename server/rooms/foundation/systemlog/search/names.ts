import { idLength, idPattern } from '#kernel/ids.ts'
import type { Reads } from '#kernel/sql.ts'

/** What something that events mention is called, and where it is found. */
export type Named = {
  id: string
  type: string
  displayName: string
  /** Of what lies in an app. */
  appId: string
  appName: string
  /** Of a resource its type, of a credential whose it is. */
  parentId: string
  isDeleted: boolean
}

/** Finds what ids stand for; those of nothing that has a name are left out. Given by the rooms that know. */
export type NameThings = (db: Reads, tenantId: number, ids: readonly string[]) => Promise<Named[]>

// Far more than a page of events mentions, but for those of large runs: the rest stays ids.
const idsMax = 2_000

/** The ids in events: anywhere, since each kind of event has its own data. */
export function idsIn(events: readonly unknown[]): string[] {
  const ids = new Set<string>()
  const look = (value: unknown): void => {
    if (ids.size >= idsMax) return
    if (typeof value === 'string') {
      if (value.length === idLength && idPattern.test(value)) ids.add(value)
    } else if (typeof value === 'object' && value !== null) for (const each of Object.values(value)) look(each)
  }
  for (const event of events) look(event)
  return [...ids]
}
