import { channel } from 'node:diagnostics_channel'
import { afterAll, beforeAll, test } from 'vitest'
import { transact } from '#kernel/sql.ts'
import { operatorCause } from '#rooms/foundation/systemlog/index.ts'
import { insertGrants } from '#rooms/records/grants/index.ts'
import { later, until } from '../fixture/later.ts'
import { startServer } from '../fixture/server.ts'
import { prepare } from '../grants/scene.ts'

const scene = prepare()

const sent: { text: string; at: number }[] = []
const note = (message: unknown): void =>
  void sent.push({ text: (message as { text: string }).text, at: performance.now() })
beforeAll(() => channel('bailiwick:statement:sent').subscribe(note))
afterAll(() => channel('bailiwick:statement:sent').unsubscribe(note))

const isLease = ({ text }: { text: string }): boolean => text.includes('leases')
const others = () => sent.filter((each) => !isLease(each))

/**
 * Until the server rests: the tests' own statements are sent by the same process. A server that another file left in this
 * process would never let it: after a while what follows is asked all the same.
 */
const rest = () => {
  const begun = performance.now()
  return until(() => performance.now() > Math.min((others().at(-1)?.at ?? 0) + 1_500, begun + 20_000))
}

/** A grant until then, and whether it has been ended. */
async function grantUntil(expiresAt: Date, isTold = true): Promise<() => Promise<boolean>> {
  const { world, tenant } = scene.access
  const entitlement = await scene.entitlement(await scene.app())
  const account = await scene.account(entitlement.appId)
  await rest()
  const id = world.newId()
  const row = { id, appId: entitlement.appId, entitlementId: entitlement.id, accountId: account.id, expiresAt }
  const begun = new Date(Date.now() - 86_400_000)
  const { db } = scene.server
  if (isTold)
    await transact(db, (tx) => insertGrants(tx, operatorCause(tenant, 'test'), [{ ...row, source: 'manual' }], begun))
  // As by a process that is killed before it could tell of what it committed.
  else
    await db.unnoticed`
      insert into grants (tenant_id, app_id, entitlement_id, account_id, grant_id, source, granted_by, granted_at, began_at, expires_at)
      select ${tenant.id}, ${row.appId}, ${row.entitlementId}, ${row.accountId}, ${id}, 'manual', '', ${begun}, ${begun}, ${expiresAt}`
  return async () => {
    const rows = await db`
      select 1 from grants where tenant_id = ${tenant.id} and grant_id = ${id} and ended_at is not null`
    return rows.length > 0
  }
}

const past = (): Date => new Date(Date.now() - 1_000)

/**
 * A grant that has expired and that nobody was told of, so that it is not seen to end. Now and then the server looks at everything
 * all the same, as when the clock was set: then it is another one. A server that looks all the time never lets this end.
 */
async function unseenGrant(): Promise<() => Promise<boolean>> {
  for (;;) {
    const isEnded = await grantUntil(past(), false)
    await rest()
    if (!(await isEnded())) return isEnded
  }
}

/** The sessions that listen: nothing but notifications is sent by them. */
const listSessions = async (): Promise<number[]> => {
  const rows = await scene.server.db<{ pid: number }[]>`
    select pid from pg_stat_activity
    where datname = current_database() and state = 'idle'
      and (query like 'select pg_notify(''bailiwick'', ''%' or query like 'select pg_try_advisory_lock(%')`
  return rows.map(({ pid }) => pid)
}

test('a server with nothing to do sends hardly any statements', async () => {
  // The lease is renewed every five seconds. What is done more rarely is done for the first time in the minute after the start.
  const isIdle = (): boolean => {
    const places = sent.flatMap((each, place) => (isLease(each) ? [place] : []))
    const [from, to] = [places.at(-2), places.at(-1)]
    return from !== undefined && to !== undefined && to - from <= 3
  }
  await until(isIdle)
})

test('what another process changes is seen at once', async () => {
  const isEnded = await grantUntil(past())
  await until(isEnded)
})

test('what ends at a time ends then, though nothing changes', async () => {
  const isEnded = await grantUntil(new Date(Date.now() + 5_000))
  await rest()
  await until(isEnded)
})

test('when the session that listens is lost, everything is looked at, and the next one listens', async () => {
  const isEnded = await unseenGrant()
  const [first] = await listSessions()
  await scene.server.db`select pg_terminate_backend(${first as number}::int)`
  await until(isEnded)
  await until(async () => (await listSessions()).some((pid) => pid !== first))
  const isNextEnded = await grantUntil(past())
  await until(isNextEnded)
})

test('what a process that was killed could not tell of is done when the next one starts', async () => {
  const isEnded = await unseenGrant()
  const beside = await startServer({ beside: scene.server })
  later(() => beside.stop())
  await until(isEnded)
})
