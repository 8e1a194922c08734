/** The turns of tenants that have work: no tenant has a second one while another waits for its first. */
export type Turns<T> = {
  /** Who had the last turn. */
  lastId(): number
  count(): number
  /** Those that have work, by id: the turns go on behind the last one. */
  fill(tenants: readonly T[]): void
  /** The next tenant, and how many of the free places it may take: the rest is shared by those that follow. */
  next(free: number): { tenant: T; countMax: number } | null
  /** It may have more work. */
  putBack(tenant: T): void
}

export function openTurns<T extends { readonly id: number }>(): Turns<T> {
  let waiting: T[] = []
  let lastId = 0
  return {
    lastId: () => lastId,
    count: () => waiting.length,
    fill(tenants) {
      waiting = [...tenants.filter(({ id }) => id > lastId), ...tenants.filter(({ id }) => id <= lastId)]
    },
    next(free) {
      const countMax = Math.max(1, Math.floor(free / waiting.length))
      const tenant = waiting.shift()
      if (!tenant) return null
      lastId = tenant.id
      return { tenant, countMax }
    },
    putBack: (tenant) => void waiting.push(tenant),
  }
}
