import type { World } from '#kernel/world.ts'
import type { TaskKind } from '../connector.ts'
import { lengthenLeases, renewLeases } from './store.ts'

const minuteMs = 60_000

/**
 * How long a task is its host's. A sync is kept by heartbeats; nothing else is, and a connector may try a grant again for
 * minutes before it tells.
 */
export const leaseMs = (kind: TaskKind): number => (kind === 'sync' ? 3 : 15) * minuteMs

/**
 * How long the tasks of other hosts stay theirs once a process of the connector starts elsewhere. Whoever is there polls, and keeps
 * them: see keepOwn.
 */
export const elsewhereMs = 2 * minuteMs

/** A host that polls is there: what it has stays its own, although another process of the connector has started. */
export const keepOwn = (world: World, tenantId: number, connectorId: string, hostId: string): Promise<void> => {
  const at = world.now()
  const until = new Date(at.getTime() + elsewhereMs)
  return lengthenLeases(world.db, tenantId, connectorId, { hostId, at, until })
}

/** Keeps tasks with their host; answers which of them are no longer its own. */
export async function keepTasks(
  world: World,
  tenantId: number,
  connectorId: string,
  { hostId, taskIds }: { hostId: string; taskIds: readonly string[] },
): Promise<string[]> {
  const at = world.now()
  const until = new Date(at.getTime() + leaseMs('sync'))
  const kept = await renewLeases(world.db, tenantId, connectorId, { hostId, taskIds, until, at })
  return taskIds.filter((id) => !kept.includes(id))
}
