import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { serverBusy } from '#kernel/refusals.ts'
import { transact } from '#kernel/sql.ts'
import type { Tenant } from '#rooms/foundation/tenants/index.ts'
import { insertApps, insertEntitlements } from '#rooms/records/apps/index.ts'
import { isOfRule, isOfTime, isTooCostly } from '../../server/rooms/rules/automation/runs/failures.ts'
import { spentUnits } from '../../server/rooms/rules/expressions/budget.ts'
import { ask, getToken, type Json, outcomeOf, type Reply } from '../fixture/access.ts'
import { until } from '../fixture/later.ts'
import { isLong, longTest } from '../fixture/long.ts'
import { stuckRoute, whileStuck } from '../fixture/stuck-threads.ts'
import { insert } from '../fixture/write.ts'
import { cel, pathOf, prepare, type Ref } from './scene.ts'

const scene = prepare({ extraRoutes: [stuckRoute] })
const people = 205

const numbers = Array.from({ length: 500 }, (_, at) => at).join(',')
/** Of each group of ways to be slow, one in `npm test`: each takes seconds of CPU time. */
const isTried = (_: unknown, n: number): boolean => isLong || n === 1
/** As it was sent: 3.8 kB, 140 ms for each user, 28 s on the event loop. */
const attack = `[${numbers}].all(x, [${numbers}].all(y, x + y >= 0))`

let target: Ref
let other: { tenant: Tenant; token: string; ref: Ref }

async function fill(tenantId: number, count: number): Promise<void> {
  const many = scene.server.db`
    (tenant_id, user_id, status, directory_status, type, display_name, email, emails, profile, created_at,
      updated_at)
    select ${tenantId}::int, lpad(${tenantId}::text || 'x' || n::text, 27, '0'), 'ENABLED', 'ENABLED', 'USER_TYPE_HUMAN',
      'P' || n, 'p' || n || '@example.com', array['p' || n || '@example.com'],
      jsonb_build_object('level', n, 'list', (select jsonb_agg(i) from generate_series(1, 500) i)), now(), now()
    from generate_series(1, ${count}::int) n`
  await insert(scene.server.db, tenantId, 'users', many)
}

const planned = (automation: Json | null, ref = target): Promise<Reply> =>
  scene.post(`${pathOf(ref)}/automation/plan`, automation ? { automation } : {}, scene.viewer)
const asOther = (path: string, body?: object): Promise<Reply> =>
  ask(scene.server, path, {
    token: other.token,
    host: other.tenant.domain,
    ...(body && { body }),
  })
const otherPlan = (): Promise<Reply> =>
  asOther(`${pathOf(other.ref)}/automation/plan`, {
    automation: cel('subject.emails.filter(e, e.endsWith("@example.com")).size() > 0'),
  })

beforeAll(async () => {
  const { access, server } = scene
  await fill(access.tenant.id, people)
  target = await scene.target()
  const tenant = await access.makeTenant('other.example')
  await fill(tenant.id, 50)
  const key = await access.makeCaller(['system:owner'], {}, tenant)
  const [appId, id] = [access.world.newId(), access.world.newId()]
  const at = access.world.now()
  await transact(access.world.db, async (tx) => {
    await insertApps(tx, tenant.id, [{ id: appId, displayName: 'App' }], at)
    await insertEntitlements(tx, tenant.id, [{ id, appId, displayName: 'Entitlement' }], at)
  })
  other = { tenant, token: await getToken(server, key), ref: { appId, id } }
  // The worker thread and what it loads is not what is measured.
  expect(outcomeOf(await planned(cel('size(subject.emails.map(e, e)) > 0')))).toBe('200')
})

/** How many units of work are under way for plans, by what they hold: a transaction each. */
const transactions = async (): Promise<number> => {
  const [row] = await scene.access.world.db<{ count: number }[]>`
    select count(*) from pg_stat_activity where datname = current_database() and state = 'idle in transaction'
      and application_name like 'bailiwick serve%'
      and state_change < clock_timestamp() - interval '30 ms'`
  return row?.count ?? 0
}

describe('an expression that is made to be slow', () => {
  longTest('is refused in a plan, and other tenants are served meanwhile', async () => {
    const attacked = planned(cel(attack))
    let isOver = false
    void attacked.finally(() => {
      isOver = true
    })
    let served = 0
    while (!isOver) {
      expect(outcomeOf(await asOther('/api/v1/apps'))).toBe('200')
      served++
      await sleep(20)
    }
    const result = await attacked
    expect(outcomeOf(result)).toBe('400/3 EXPRESSION_TOO_COSTLY')
    expect(result.json['message']).toContain('for all users together')
    // The 20 million units are evaluated elsewhere.
    expect(served).toBeGreaterThan(2)
    expect(spentUnits()).toBe(0)
  })

  test.each(
    [
      ['macros over the profile', 'subject.profile.list.all(x, subject.profile.list.all(y, x + y >= 0.0))'],
      ['filter in filter', `[${numbers}].filter(x, [${numbers}].filter(y, x != y).size() > 0).size() > 0`],
      ['map in exists', `[${numbers}].exists(x, [${numbers}].map(y, x * y).size() < 0)`],
      ['in for every element', `[${numbers}].all(x, [${numbers}].exists(y, -1 in [${numbers.slice(0, 900)}0]))`],
      ['lists that are compared', `[${numbers}].all(x, [${numbers}] == [${numbers}].filter(y, true))`],
      [
        'patterns',
        `[${numbers}].all(x, subject.emails.all(e, e.matches("(?i)((a?b?){4}){4}!?$") || string(x).matches("(?i)(x*y*)*z$") || true))`,
      ],
      [
        'texts that grow',
        `[${numbers}].all(x, ("${'a'.repeat(5000)}" + subject.email).contains("b" + string(x)) || true)`,
      ],
      [
        'a constant that is worked out for SQL',
        `[${numbers}].all(x, [${numbers}].all(y, x + y >= 0)) && subject.id != ""`,
      ],
    ].filter(isTried),
  )('is refused by the work that it is, which is not done on the event loop: %s', async (_, expression) => {
    const results = [await planned(cel(expression)), await planned(cel(expression))]
    expect(results.map(outcomeOf)).toEqual(Array(2).fill('400/3 EXPRESSION_TOO_COSTLY'))
    expect(spentUnits()).toBe(0)
  })

  const long = (unit: string, separator: string): string =>
    Array.from({ length: Math.floor(9990 / (unit.length + separator.length)) }, () => unit).join(separator)
  test.each(
    [
      ['accesses in a row', long(`subject.profile${'.a'.repeat(95)}==1`, '||')],
      ['sums', long(`1${'+1'.repeat(98)}==8`, '||')],
      ['brackets', long(`${'['.repeat(30)}${']'.repeat(30)}==[]`, '||')],
      ['what does not compile', `${long('subject.id == "a"', '||')} || subject.nothing`],
    ].filter(isTried),
  )('is compiled elsewhere, however long it takes: %s', async (_, expression) => {
    expect(['200', '400/3 EXPRESSION_INVALID']).toContain(outcomeOf(await planned(cel(expression))))
  })

  test('cannot be saved, changed to, or applied', async () => {
    const ref = await scene.target()
    expect(outcomeOf(await scene.create(ref, cel(attack)))).toBe('400/3 EXPRESSION_TOO_COSTLY')
    expect(outcomeOf(await scene.get(`${pathOf(ref)}/automation`))).toBe('404/5 AUTOMATION_NOT_FOUND')
    expect(outcomeOf(await scene.create(ref, cel('subject.department == "Nobody"')))).toBe('200')
    expect(outcomeOf(await scene.update(ref, cel(attack)))).toBe('400/3 EXPRESSION_TOO_COSTLY')
    await scene.settle()
    const apply = { fingerprint: 'x', automation: cel(attack) }
    const applied = await scene.post(`${pathOf(ref)}/automation/apply`, apply)
    expect(outcomeOf(applied)).toBe('400/3 EXPRESSION_TOO_COSTLY')
    const { json } = await scene.get(`${pathOf(ref)}/automation`)
    expect(json['AppEntitlementAutomation']).toMatchObject(cel('subject.department == "Nobody"'))
  })
})

test('a saved rule that is too costly is paused when it is run, says so, and keeps no other tenant waiting', async () => {
  const ref = await scene.target()
  await scene.create(ref, cel('subject.department == "Nobody"'))
  await scene.settle()
  // As a version before this one, or fewer users, let it be saved.
  await scene.server.db`
    update automations set expression = ${attack}, version = version + 1, due_at = now(), due_cause = 'schedule'
    where entitlement_id = ${ref.id}`
  const created = await asOther(`${pathOf(other.ref)}/automation/create`, {
    automation: cel('subject.department == "Nobody"'),
  })
  expect(outcomeOf(created)).toBe('200')
  await until(async () => {
    const { json } = await asOther(`${pathOf(other.ref)}/automation`)
    const { lastRunStatus } = json['AppEntitlementAutomation'] as { lastRunStatus: Json }
    return lastRunStatus['status'] === 'APP_ENTITLEMENT_AUTOMATION_RUN_STATUS_SUCCESS'
  })
  await until(async () => (await state(ref))['paused'] === 'AUTOMATION_PAUSE_COSTLY')
  const [run] = await scene.runs(ref)
  expect(run).toMatchObject({
    status: 'AUTOMATION_RUN_STATUS_FAILED',
    errorMessage: expect.stringContaining('takes too much work') as unknown,
  })
  expect((await state(ref))['nextRunAt']).toBeNull()
  const events = await scene.logged('run automation rules')
  expect(events.filter(({ message }) => message.startsWith('Paused a rule that takes too much work'))).toHaveLength(1)

  const explained = await scene.get(`${pathOf(ref)}/automation/explain/${scene.basic.userId}`)
  expect(explained.json).toMatchObject({ verdict: 'AUTOMATION_VERDICT_FAILED' })
  expect(spentUnits()).toBe(0)
})

describe('work that is ended by time', () => {
  // Not to be said in SQL, so that threads are asked.
  const ordinary = cel('subject.emails.filter(e, e.endsWith("@example.com")).size() > 0')

  test('is no fault of the request: 503, and the same request is answered later', async () => {
    const ref = await scene.target()
    await whileStuck(scene.server, async () => {
      for (const path of ['plan', 'create']) {
        const refused = await scene.post(`${pathOf(ref)}/automation/${path}`, { automation: ordinary })
        expect(outcomeOf(refused)).toBe('503/14 SERVER_BUSY')
        expect(refused.headers['retry-after']).toBe('5')
      }
      expect(outcomeOf(await scene.post('/api/v1/policies/validate/cel', { text: 'ip == "1"' }))).toBe(
        '503/14 SERVER_BUSY',
      )
    })
    expect(outcomeOf(await scene.get(`${pathOf(ref)}/automation`))).toBe('404/5 AUTOMATION_NOT_FOUND')
    expect(outcomeOf(await planned(ordinary, ref))).toBe('200')
    expect(scene.server.logged.some(({ msg }) => msg === 'a worker thread had to be ended')).toBe(true)
  })

  test('does not pause a rule: the run fails, and the next one comes by itself', async () => {
    const ref = await scene.target()
    expect(outcomeOf(await scene.create(ref, cel('subject.emails.filter(e, e == "p7@example.com").size() > 0')))).toBe(
      '200',
    )
    await scene.settle()
    const before = await scene.holders(ref)
    expect(before).toHaveLength(1)
    const dueNow = () => scene.server.db`
      update automations set due_at = now(), due_cause = 'schedule' where entitlement_id = ${ref.id}`
    const lastRun = async () => (await scene.runs(ref))[0] as Json
    await whileStuck(scene.server, async () => {
      await dueNow()
      let failed: Json = {}
      await until(async () => (failed = await lastRun())['status'] === 'AUTOMATION_RUN_STATUS_FAILED')
      expect(failed['errorMessage']).toContain('had to stop this work')
      const { paused, nextRunAt } = await state(ref)
      expect(paused).toBe('AUTOMATION_PAUSE_UNSPECIFIED')
      // Sooner than the hour after which it would be run anyway.
      expect(Date.parse(String(nextRunAt)) - Date.parse(String(failed['finishedAt']))).toBeLessThan(3_600_000)
    })
    await dueNow()
    await until(async () => (await lastRun())['status'] === 'AUTOMATION_RUN_STATUS_DONE')
    expect(await scene.holders(ref)).toEqual(before)
  })

  test.each([
    [Object.assign(new Error('canceling statement due to statement timeout'), { code: '57014' })],
    [serverBusy('The server had to stop this work')],
  ])('ends a run, and says nothing of its rule: %s', (error) => {
    expect([isOfRule(error), isOfTime(error), isTooCostly(error)]).toEqual([true, true, false])
  })
})

async function state(ref: Ref): Promise<Json> {
  return (await scene.get(`${pathOf(ref)}/automation/state`)).json['state'] as Json
}

/** A plan that somebody asks for and may not wait for. */
function openPlan(): { done: Promise<string>; leave(): void } {
  const body = JSON.stringify({ automation: cel(attack) })
  const { port } = new URL(scene.server.url)
  const { promise, resolve } = Promise.withResolvers<string>()
  const sent = request(
    {
      port,
      host: '127.0.0.1',
      method: 'POST',
      agent: false,
      path: `${pathOf(target)}/automation/plan`,
      headers: {
        host: `localhost:${port}`,
        'content-type': 'application/json',
        authorization: `Bearer ${scene.viewer.token}`,
        'content-length': String(body.length),
      },
    },
    (incoming) => {
      incoming.resume()
      resolve(String(incoming.statusCode))
    },
  )
  sent.on('error', () => resolve('left'))
  sent.end(body)
  return { done: promise, leave: () => sent.destroy() }
}

longTest('while one tenant sends fifty costly plans at once, another gets its own before them', async () => {
  const flood = Array.from({ length: 50 }, openPlan)
  await Promise.race(flood.map(async ({ done }) => done))
  for (let times = 0; times < 2; times++) expect(outcomeOf(await otherPlan())).toBe('200')
  for (const each of flood) each.leave()
  const ended = await Promise.all(flood.map(({ done }) => done))
  // 503: on a busy machine their turn does not come for so long that they are sent away.
  expect(ended.filter((status) => !['400', '429', '503', 'left'].includes(status))).toEqual([])
  // It did not wait for those that came first.
  expect(ended.filter((status) => status === '400').length).toBeLessThan(15)
  // Those that ran have stopped, and those that waited do not begin.
  await until(async () => (await transactions()) === 0)
})

test('when the client goes away, the work for it stops', async () => {
  await until(async () => (await transactions()) === 0)
  // Work that does not come to an end by itself.
  const never = 600_000
  const wait = async (): Promise<void> => {
    const plan = openPlan()
    await until(async () => (await transactions()) > 0)
    plan.leave()
    await until(async () => (await transactions()) === 0)
  }
  await whileStuck(scene.server, wait, never)
})
