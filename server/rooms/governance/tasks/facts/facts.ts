import { Loader } from '#kernel/loader.ts'
import type { Call } from '#kernel/routes.ts'
import type { Tx } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import { type Terms, unroutedTerms } from '#rooms/governance/terms/index.ts'
import type { FactName } from '../machine/facts-wanted.ts'
import type { Task } from '../machine/record.ts'
import { lockOpenTwin } from '../store.ts'
import { findHoldings, type Holdings } from './holdings-store.ts'
import { findSubject, isAccountOf, listPeople, type PersonRow, type SubjectRow } from './store.ts'

/** The server and the tenant of the tasks, for a request or a job. */
export type TenantWorld = World & Pick<Call, 'tenant'>

/**
 * The facts of one transaction on tasks. Can be called from anywhere: what was read is not read again, and reads in one turn
 * of the event loop are sent to PostgreSQL in one round trip.
 */
export class Facts {
  readonly tx: Tx
  readonly world: TenantWorld
  readonly #loader = new Loader()

  constructor(tx: Tx, world: TenantWorld) {
    this.tx = tx
    this.world = world
  }

  get tenantId(): number {
    return this.world.tenant.id
  }

  once<T>(key: string, read: () => Promise<T>): Promise<T> {
    return this.#loader.once(key, read)
  }

  /** Call after writing something that the facts may depend on. */
  forget(): void {
    this.#loader.forget()
  }

  /** The subject of a task, with their managers. */
  subject(userId: string): Promise<SubjectRow | null> {
    return this.once(`subject ${userId}`, async () =>
      userId === '' ? null : findSubject(this.tx, this.tenantId, userId, this.world.now()),
    )
  }

  /** Those of some users who exist, with their delegates. */
  async people(ids: readonly string[]): Promise<PersonRow[]> {
    const readAll = async (keys: readonly string[]) => {
      const rows = await listPeople(this.tx, this.tenantId, keys, this.world.now())
      return new Map(rows.map((row) => [row.id, row]))
    }
    const found = await Promise.all([...new Set(ids)].map((id) => this.#loader.among('person', id, readAll)))
    return found.filter((person) => person !== null)
  }

  /** What applies to an entitlement, without routing rules; null if it no longer exists. */
  terms({ appId, entitlementId }: { appId: string; entitlementId: string }): Promise<Terms | null> {
    return this.once(`terms ${appId} ${entitlementId}`, () =>
      unroutedTerms(this.tx, this.world, { appId, entitlementId }),
    )
  }

  holdings(of: Holdings['of']): Promise<Holdings> {
    const key = `holdings ${of.appId} ${of.entitlementId} ${of.subjectUserId}`
    return this.once(key, () => findHoldings(this.tx, this.tenantId, of, this.world.now()))
  }

  /** Whether the account that a task names exists and belongs to its subject. */
  hasAccount(task: Pick<Task, 'appId' | 'accountId' | 'subjectUserId'>): Promise<boolean> {
    const key = `account ${task.appId} ${task.accountId} ${task.subjectUserId}`
    return this.once(key, () => isAccountOf(this.tx, this.tenantId, task))
  }

  /** The open task for the same access. No other one can be opened until the transaction ends. */
  openTwin(of: Parameters<typeof lockOpenTwin>[2]): Promise<Task | null> {
    const key = `twin ${of.kind} ${of.appId} ${of.entitlementId} ${of.subjectUserId} ${of.accountId}`
    return this.once(key, () => lockOpenTwin(this.tx, this.tenantId, of))
  }

  /** Reads the named facts in one round trip. */
  async read(task: Task, names: readonly FactName[]): Promise<void> {
    const reads: Record<FactName, () => Promise<unknown>> = {
      subject: () => this.subject(task.subjectUserId),
      terms: () => this.terms(task),
      account: () => this.hasAccount(task),
      holdings: () => this.holdings(task),
    }
    await Promise.all(names.map((name) => reads[name]()))
  }
}
