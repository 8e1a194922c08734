import { idLength, idPattern } from '#kernel/ids.ts'
import type { Reads } from '#kernel/sql.ts'

/** The name of something that events mention, and where it is found. */
export type Named = {
  id: string
  type: string
  displayName: string
  /** For an object in an app. */
  appId: string
  appName: string
  /** For a resource its type, for a credential its user. */
  parentId: string
  isDeleted: boolean
}

/** Finds the objects of ids; ids of objects without a name are left out. Passed in by the rooms that have the objects. */
export type NameThings = (db: Reads, tenantId: number, ids: readonly string[]) => Promise<Named[]>

// Far more than a page of events mentions, except events of large runs: any further ids have no names.
const idsMax = 2_000

/** The ids in events, anywhere, because each kind of event has different data. */
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
