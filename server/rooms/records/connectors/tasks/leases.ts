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
 * How long tasks stay with a process once another one of the connector starts. Whoever is there keeps them: a sync by a heartbeat, what is
 * to be done to the app by a poll (keepOwn). Both come sooner than that.
 */
export const lastMs = (kind: TaskKind): number => (kind === 'sync' ? 20 : 12) * 1000
export const heartbeatSeconds = 15
/** A poll of 0 s would be a loop without a pause. */
export const pollSeconds = { idle: 30, withLeased: 5, withTask: 1 }

/** A host that polls is there: what it has stays its own, although another process of the connector has started. */
export const keepOwn = (world: World, tenantId: number, connectorId: string, hostId: string): Promise<void> => {
  const at = world.now()
  const until = new Date(at.getTime() + lastMs('grant'))
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
