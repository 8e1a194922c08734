import type { World } from '#kernel/world.ts'
import type { TaskKind } from '../connector.ts'
import { lengthenLeases, renewLeases } from './store.ts'

const minuteMs = 60_000

/**
 * How long a task is leased to its host. A sync is renewed by heartbeats; nothing else is, and a connector may retry a grant
 * for minutes before it reports.
 */
export const leaseMs = (kind: TaskKind): number => (kind === 'sync' ? 3 : 15) * minuteMs

/**
 * How long a process keeps its tasks once another one of the connector starts. A running process renews them: a sync by a
 * heartbeat, tasks for the app by a poll (keepOwn). Both come sooner than that.
 */
export const lastMs = (kind: TaskKind): number => (kind === 'sync' ? 20 : 12) * 1000
export const heartbeatSeconds = 15
/** With a poll interval of 0 s, connectors would poll in a loop without a pause. */
export const pollSeconds = { idle: 30, withLeased: 5, withTask: 1 }

/** A host that polls is running: it keeps its tasks, although another process of the connector has started. */
export const keepOwn = (world: World, tenantId: number, connectorId: string, hostId: string): Promise<void> => {
  const at = world.now()
  const until = new Date(at.getTime() + lastMs('grant'))
  return lengthenLeases(world.db, tenantId, connectorId, { hostId, at, until })
}

/** Renews the leases of a host; returns the tasks that it no longer has. */
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
