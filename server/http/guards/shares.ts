import { Refusal, serverBusy } from '#kernel/refusals.ts'

/**
 * How many requests may be served at once: in all, for a tenant, for a user. Each request that is served may use a
 * connection to the database; those that wait use none. So nobody can take all connections from the others.
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
  /** Enters at once if there is room; otherwise waits for a turn. */
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

class OpenShares implements Shares {
  readonly #limits: ShareLimits
  readonly #onRefused: (of: string) => void
  readonly #tenants = new Map<number, Tenant>()
  #running = 0
  #waiting = 0
  #entered = 0

  constructor(limits: ShareLimits, onRefused: (of: string) => void) {
    this.#limits = limits
    this.#onRefused = onRefused
  }

  #refuse(of: string): Refusal {
    this.#onRefused(of)
    return tooMany(of)
  }

  #hasRoom(tenant: Tenant, user: User): boolean {
    return (
      this.#running < this.#limits.running.all &&
      tenant.running < this.#limits.running.tenant &&
      user.running < this.#limits.running.user
    )
  }

  #begin(tenant: Tenant, user: User, name: string): Leave {
    this.#running++
    this.#entered++
    tenant.running++
    user.running++
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      this.#running--
      tenant.running--
      user.running--
      this.#tidy(tenant, user, name)
      if (this.#waiting > 0) this.#admitNext()
    }
  }

  #tidy(tenant: Tenant, user: User, name: string): void {
    if (user.running === 0 && user.waiting.length === 0) tenant.users.delete(name)
    if (tenant.users.size === 0) this.#tenants.delete(tenant.id)
  }

  /** Gives the free place to the tenant, and in it to the user, whose last turn was the longest ago. */
  #admitNext(): void {
    for (const tenant of this.#tenants.values()) {
      if (tenant.waiting === 0 || tenant.running >= this.#limits.running.tenant) continue
      for (const [name, user] of tenant.users) {
        if (user.waiting.length === 0 || !this.#hasRoom(tenant, user)) continue
        // Moved to the end, so that the first is the one whose turn is next.
        this.#tenants.delete(tenant.id)
        this.#tenants.set(tenant.id, tenant)
        tenant.users.delete(name)
        tenant.users.set(name, user)
        return (user.waiting[0] as Waiter).admit()
      }
    }
  }

  #wait(tenant: Tenant, user: User, name: string): Promise<Leave> {
    const { promise, resolve, reject } = Promise.withResolvers<Leave>()
    const stop = (): void => {
      clearTimeout(timer)
      user.waiting.splice(user.waiting.indexOf(waiter), 1)
      tenant.waiting--
      this.#waiting--
    }
    const waiter: Waiter = {
      admit: () => {
        stop()
        resolve(this.#begin(tenant, user, name))
      },
      refuse: (why) => {
        stop()
        this.#tidy(tenant, user, name)
        reject(why)
      },
    }
    // No more wait than allowed: if it takes long, they are not at fault.
    const timer = setTimeout(() => {
      this.#onRefused(this.#whoIsFull(tenant, user))
      waiter.refuse(serverBusy('The turn of this request did not come', retryAfterSeconds))
    }, this.#limits.waitMs)
    user.waiting.push(waiter)
    tenant.waiting++
    this.#waiting++
    return promise
  }

  #whoIsFull(tenant: Tenant, user: User): string {
    return user.running >= this.#limits.running.user
      ? 'user'
      : tenant.running >= this.#limits.running.tenant
        ? 'tenant'
        : 'server'
  }

  enter(tenantId: number, name: string): Leave | Promise<Leave> {
    let tenant = this.#tenants.get(tenantId)
    if (!tenant) {
      tenant = { id: tenantId, running: 0, waiting: 0, users: new Map() }
      this.#tenants.set(tenantId, tenant)
    }
    let user = tenant.users.get(name)
    if (!user) {
      user = { running: 0, waiting: [] }
      tenant.users.set(name, user)
    }
    // A later request does not overtake waiting ones of the same user.
    if (user.waiting.length === 0 && this.#hasRoom(tenant, user)) return this.#begin(tenant, user, name)
    if (user.waiting.length >= this.#limits.waiting.user) throw this.#refuse('user')
    if (tenant.waiting >= this.#limits.waiting.tenant) {
      this.#tidy(tenant, user, name)
      throw this.#refuse('tenant')
    }
    return this.#wait(tenant, user, name)
  }

  refuseWaiting(why: () => Refusal): void {
    for (const tenant of [...this.#tenants.values()])
      for (const user of [...tenant.users.values()]) for (const waiter of [...user.waiting]) waiter.refuse(why())
  }

  get running(): number {
    return this.#running
  }

  get waiting(): number {
    return this.#waiting
  }

  get entered(): number {
    return this.#entered
  }
}

export const openShares = (limits: ShareLimits, onRefused: (of: string) => void = () => {}): Shares =>
  new OpenShares(limits, onRefused)
