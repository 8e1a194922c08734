import type { ServerResponse } from 'node:http'
import { Refusal } from '#kernel/refusals.ts'
import { isGone } from './gone.ts'

/** How many bytes of replies may be unread: for a user, for a tenant, in all. */
export type UnreadLimits = { user: number; tenant: number; all: number }

export type Unread = {
  /** Refuses the request of a caller who has not read the replies to earlier ones. */
  refuse(tenant: number, user: string): void
  /** Counts a reply until it was read, or abandoned. */
  count(tenant: number, user: string, bytes: number, reply: ServerResponse): void
  readonly bytes: number
}

// Shorter ones are mostly passed to the system at once, and are limited by the number of connections.
const bytesMin = 16 * 1024

const unread = (of: string): Refusal =>
  new Refusal(
    'TOO_MANY_REQUESTS',
    `Too many responses to this ${of} are waiting to be read; read them, then try again.`,
    {
      metadata: { of },
      retryAfterSeconds: 1,
    },
  )

/**
 * A reply that its client does not read stays in memory, and the share of its caller is free again: without a limit a
 * caller with many connections fills the memory. The next request is refused before it begins, so that no response says
 * that a change was not made when it was.
 */
export function countUnread(limits: UnreadLimits, onRefused: (of: string) => void = () => {}): Unread {
  const held = new Map<string, number>()
  let all = 0
  const keys = (tenant: number, user: string) => ({ tenant: `${tenant}`, user: `${tenant} ${user}` })
  const add = (key: string, bytes: number): void => {
    const sum = (held.get(key) ?? 0) + bytes
    if (sum > 0) held.set(key, sum)
    else held.delete(key)
  }

  return {
    refuse(tenant, user) {
      if (all === 0) return
      const of = keys(tenant, user)
      const byUser = held.get(of.user) ?? 0
      const byTenant = held.get(of.tenant) ?? 0
      const full =
        byUser > limits.user
          ? 'user'
          : byTenant > limits.tenant
            ? 'tenant'
            : all > limits.all && byUser > 0
              ? 'user'
              : null
      if (full === null) return
      onRefused(full)
      throw unread(full)
    },
    count(tenant, user, bytes, reply) {
      if (bytes < bytesMin || isGone(reply)) return
      const of = keys(tenant, user)
      const change = (by: number): void => {
        add(of.user, by)
        add(of.tenant, by)
        all += by
      }
      change(bytes)
      reply.once('close', () => change(-bytes))
    },
    get bytes() {
      return all
    },
  }
}
