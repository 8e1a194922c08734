import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Tx, transact, within } from '#kernel/sql.ts'
import {
  change,
  operatorCause,
  record,
  removeArchived,
  sealTenant,
  verifyLog,
} from '#rooms/foundation/systemlog/index.ts'
import { findLastSeal } from '#rooms/foundation/systemlog/seals.ts'
import { verifyPart } from '#rooms/foundation/systemlog/verify/verify.ts'
import type { Tenant } from '#rooms/foundation/tenants/index.ts'
import { foundTenant } from '#rooms/identity/users/index.ts'
import { listWaiting } from '../fixture/cluster.ts'
import { until } from '../fixture/later.ts'
import { type Alone, openAlone } from './alone.ts'

/**
 * The log grows, and archived events leave it, while it is verified. A lock on the table of events stops a verification that has
 * read links, and not their events yet; what happens in between is certain to.
 */

let alone: Alone
let tenant: Tenant
let tenants = 0
beforeAll(async () => {
  alone = await openAlone()
})
afterAll(() => alone.close())
beforeEach(async () => {
  const { world } = alone
  const domain = `meanwhile${tenants++}.example.com`
  const founded = await transact(world.db, (tx) => foundTenant(tx, world, { domain, ownerEmail: 'owner@example.com' }))
  if (typeof founded === 'string') throw new Error(founded)
  tenant = founded
  await sealTenant(world, tenant.id)
  await transact(world.db, (tx) => write(tx))
  await sealTenant(world, tenant.id)
})

const write = (tx: Tx): Promise<unknown> => {
  const cause = operatorCause(tenant, 'test')
  return record(tx, alone.world, cause, change(cause, 'update', 'something', []))
}

/** Has something done between the moments in which a verification reads links and reads their events. */
async function verifiedWhile(verify: () => Promise<{ findings: object[] }>, work: (tx: Tx) => Promise<unknown>) {
  const { db } = alone.world
  let verifying: ReturnType<typeof verify> | null = null
  await transact(db, async (tx) => {
    await tx`lock table systemlog_events in access exclusive mode`
    verifying ??= verify()
    // That it waits in vain is told below.
    verifying.catch(() => {})
    await until(async () => (await listWaiting(db)).some(({ query }) => /systemlog_events/.test(query)))
    await work(tx)
  })
  return verifying as unknown as ReturnType<typeof verify>
}

const part = () => verifyPart(alone.world, tenant.id, null, 1000)
const whole = () => verifyLog(alone.world, tenant.id, null)

const seal = async (tx: Tx): Promise<void> => {
  await write(tx)
  await sealTenant({ ...alone.world, db: within(tx) }, tenant.id)
}
const archive = async (tx: Tx): Promise<void> => {
  const { world } = alone
  const upTo = await findLastSeal(tx, tenant.id)
  const [events] = await tx<{ count: number }[]>`
    select count(*) from systemlog_events where tenant_id = ${tenant.id} and seal_number is not null`
  if (!upTo || !events) throw new Error('nothing is sealed')
  await removeArchived(tx, world, tenant.id, { before: null, upTo, expected: events.count })
}

test.each([
  ['the server verifies it', part],
  ['the command verifies it', whole],
])('a link that is added while %s is no sign of tampering', async (_, verify) => {
  expect((await verifiedWhile(verify, seal)).findings).toEqual([])
})

test.each([
  ['the server verifies the log', part],
  ['the command verifies it', whole],
])('events that are archived and removed while %s are no sign of tampering', async (_, verify) => {
  expect((await verifiedWhile(verify, archive)).findings).toEqual([])
})

test('what is removed by anyone else meanwhile is found', async () => {
  const { findings } = await verifiedWhile(part, async (tx) => {
    await tx`alter table systemlog_events disable trigger all`
    await tx`delete from systemlog_events where tenant_id = ${tenant.id} and seal_number = 2`
    await tx`alter table systemlog_events enable trigger all`
  })
  expect(findings).not.toEqual([])
})
