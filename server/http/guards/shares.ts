import { Refusal, serverBusy } from '#kernel/refusals.ts'

/**
 * How many requests may be served at once: in all, of a tenant, of a user. Each request that is served may hold a
 * connection to the database; those that wait hold none. So nobody can take all connections from the others.
 */
export type ShareLimits = {
  running: { all: number; tenant: number; user: number }
  waiting: { tenant: number; user: number }
  /** How long a request waits for its turn. */
  waitMs: number
}

/** To be called when a request has been served. */
export type Leave = () => void

export type Shares = {
  /** Enters at once where there is room; else waits for a turn. */
  enter(tenant: number, user: string): Leave | Promise<Leave>
  /** Refuses all that wait. */
  refuseWaiting(why: () => Refusal): void
  readonly running: number
  readonly waiting: number
  /** How many have entered so far. */
  readonly entered: number
}

type Waiter = { admit(): void; refuse(why: Refusal): void }
type User = { running: number; waiting: Waiter[] }
type Tenant = { id: number; running: number; waiting: number; users: Map<string, User> }

const retryAfterSeconds = 1
const tooMany = (of: string): Refusal =>
  new Refusal('TOO_MANY_REQUESTS', `Too many requests of this ${of} are being served; try again shortly.`, {
    metadata: { of },
    retryAfterSeconds,
  })

export function openShares(limits: ShareLimits, onRefused: (of: string) => void = () => {}): Shares {
  const tenants = new Map<number, Tenant>()
  let running = 0
  let waiting = 0
  let entered = 0

  const refuse = (of: string): Refusal => {
    onRefused(of)
    return tooMany(of)
  }
  const hasRoom = (tenant: Tenant, user: User): boolean =>
    running < limits.running.all && tenant.running < limits.running.tenant && user.running < limits.running.user

  const begin = (tenant: Tenant, user: User, name: string): Leave => {
    running++
    entered++
    tenant.running++
    user.running++
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      running--
      tenant.running--
      user.running--
      tidy(tenant, user, name)
      if (waiting > 0) admitNext()
    }
  }
  const tidy = (tenant: Tenant, user: User, name: string): void => {
    if (user.running === 0 && user.waiting.length === 0) tenant.users.delete(name)
    if (tenant.users.size === 0) tenants.delete(tenant.id)
  }

  /** Gives the free place to the tenant, and of it to the user, whose last turn was the longest ago. */
  function admitNext(): void {
    for (const tenant of tenants.values()) {
      if (tenant.waiting === 0 || tenant.running >= limits.running.tenant) continue
      for (const [name, user] of tenant.users) {
        if (user.waiting.length === 0 || !hasRoom(tenant, user)) continue
        // Put last, so that the first is the one whose turn is next.
        tenants.delete(tenant.id)
        tenants.set(tenant.id, tenant)
        tenant.users.delete(name)
        tenant.users.set(name, user)
        return (user.waiting[0] as Waiter).admit()
      }
    }
  }

  function wait(tenant: Tenant, user: User, name: string): Promise<Leave> {
    const { promise, resolve, reject } = Promise.withResolvers<Leave>()
    const stop = (): void => {
      clearTimeout(timer)
      user.waiting.splice(user.waiting.indexOf(waiter), 1)
      tenant.waiting--
      waiting--
    }
    const waiter: Waiter = {
      admit() {
        stop()
        resolve(begin(tenant, user, name))
      },
      refuse(why) {
        stop()
        tidy(tenant, user, name)
        reject(why)
      },
    }
    // No more wait than may: that it takes long is no fault of theirs.
    const timer = setTimeout(() => {
      onRefused(whoIsFull(tenant, user))
      waiter.refuse(serverBusy('The turn of this request did not come', retryAfterSeconds))
    }, limits.waitMs)
    user.waiting.push(waiter)
    tenant.waiting++
    waiting++
    return promise
  }

  const whoIsFull = (tenant: Tenant, user: User): string =>
    user.running >= limits.running.user ? 'user' : tenant.running >= limits.running.tenant ? 'tenant' : 'server'

  return {
    enter(tenantId, name) {
      let tenant = tenants.get(tenantId)
      if (!tenant) {
        tenant = { id: tenantId, running: 0, waiting: 0, users: new Map() }
        tenants.set(tenantId, tenant)
      }
      let user = tenant.users.get(name)
      if (!user) {
        user = { running: 0, waiting: [] }
        tenant.users.set(name, user)
      }
      // Who comes later does not pass those of the same user who wait already.
      if (user.waiting.length === 0 && hasRoom(tenant, user)) return begin(tenant, user, name)
      if (user.waiting.length >= limits.waiting.user) throw refuse('user')
      if (tenant.waiting >= limits.waiting.tenant) {
        tidy(tenant, user, name)
        throw refuse('tenant')
      }
      return wait(tenant, user, name)
    },
    refuseWaiting(why) {
      for (const tenant of [...tenants.values()])
        for (const user of [...tenant.users.values()]) for (const waiter of [...user.waiting]) waiter.refuse(why())
    },
    get running() {
      return running
    },
    get waiting() {
      return waiting
    },
    get entered() {
      return entered
    },
  }
}
