import { expect, test } from 'vitest'
import { cel, isSettled, pathOf } from '../automation/scene.ts'
import { eventually, type Json } from '../fixture/access.ts'
import { importRecords } from '../imports/support.ts'
import { enterpriseUrn, newName, prepare, userUrn } from './support.ts'

const scene = prepare()
const department = (n: number): string => (n % 3 === 0 ? 'Sales' : `D${n % 5}`)

test('joiners, movers and leavers by SCIM and by imports while rules run: no request fails, and in the end rules have given what they say', async () => {
  const { access, server } = scene
  const { db } = server
  const app = (await scene.api('/api/v1/apps', { body: { displayName: 'Target' } })).json['app'] as { id: string }
  const made = await scene.api(`/api/v1/apps/${app.id}/entitlements`, { body: { displayName: 'Sales tools' } })
  const { appEntitlement } = made.json['appEntitlementView'] as { appEntitlement: { id: string } }
  const target = { appId: app.id, id: appEntitlement.id }
  await scene.api(`${pathOf(target)}/automation/create`, { body: { automation: { none: {} } } })
  await scene.api(`${pathOf(target)}/automation/breaker`, { body: { breakerOff: true } })
  const rule = await scene.api(`${pathOf(target)}/automation/update`, { body: cel('subject.department == "Sales"') })
  expect(rule.status, rule.text).toBe(200)

  // A directory that is fed by imports, of thousands.
  const accounts = (shift: number) =>
    Array.from({ length: 2_500 }, (_, n) => ({
      kind: 'account',
      app: 'hr',
      externalId: `hr${n}`,
      displayName: `HR ${n}`,
      email: `hr${n}@example.com`,
      profile: { department: department(n + shift) },
    }))
  await importRecords(access, [{ kind: 'app', externalId: 'hr', displayName: 'HR' }, ...accounts(0)])
  const [hr] = await db<{ id: string }[]>`select app_id as id from apps where external_id = 'hr'`
  const directed = await scene.api('/api/v1/directories', { body: { appId: hr?.id as string } })
  expect(directed.status, directed.text).toBe(200)

  const scim = await scene.makeDirectory()
  const statuses = new Map<number, number>()
  const noted = async <T extends { status: number; text: string }>(reply: Promise<T>): Promise<T> => {
    const told = await reply
    statuses.set(told.status, (statuses.get(told.status) ?? 0) + 1)
    expect(told.status, told.text).toBeLessThan(300)
    return told
  }
  const connection = async (): Promise<void> => {
    const ids: string[] = []
    for (let n = 0; n < 60; n += 1) {
      const name = newName()
      const body = { schemas: [userUrn], userName: name, [enterpriseUrn]: { department: department(n) } }
      ids.push((await noted(scim.post('/Users', body))).json.id)
      const mover = ids[(n * 7) % ids.length] as string
      const value: Json = { op: 'replace', path: `${enterpriseUrn}:department`, value: department(n + 1) }
      await noted(scim.patch(`/Users/${mover}`, value))
      if (n % 12 === 11) await noted(scim.patch(`/Users/${mover}`, { op: 'replace', path: 'active', value: false }))
    }
  }
  const imports = async (): Promise<void> => {
    for (const shift of [1, 2, 3]) await importRecords(access, accounts(shift))
  }
  await Promise.all([imports(), ...Array.from({ length: 4 }, connection)])

  const isQuiet = async (): Promise<boolean> => {
    const [row] = await db<{ count: number }[]>`select count(*) from jobs where state in ('waiting', 'running')`
    return row?.count === 0 && (await isSettled(db))
  }
  expect(await eventually(async () => (await isQuiet()) && (await isQuiet()))).toBe(true)
  expect(new Set(statuses.keys())).toEqual(new Set([200, 201]))
  const [row] = await db`
    with wanted as (select user_id from users where department = 'Sales' and status = 'ENABLED' and deleted_at is null),
      held as (
        select a.user_id from grants g
        join accounts a on a.tenant_id = g.tenant_id and a.app_id = g.app_id and a.account_id = g.account_id
        where g.entitlement_id = ${target.id} and g.ended_at is null)
    select (select count(*) from wanted) as wanted, (select count(*) from held) as held,
      (select count(*) from wanted join held using (user_id)) as both`
  expect(row?.['wanted']).toBeGreaterThan(800)
  expect(row).toEqual({
    wanted: row?.['wanted'] as number,
    held: row?.['wanted'] as number,
    both: row?.['wanted'] as number,
  })
  // What the directory says last is what people have.
  const [said] = await db`
    select count(*) as people, count(*) filter (where u.department = a.profile ->> 'department') as right
    from accounts a join users u on u.tenant_id = a.tenant_id and u.user_id = a.user_id where a.app_id = ${hr?.id as string}`
  expect(said).toEqual({ people: 2_500, right: 2_500 })
  const [scimSaid] = await db`
    select count(*) as people,
      count(*) filter (where u.department = x.resource -> ${enterpriseUrn} ->> 'department' and (u.status = 'ENABLED') = x.is_active) as right
    from directory_users x join users u on u.tenant_id = x.tenant_id and u.user_id = x.user_id where x.app_id = ${scim.appId}`
  expect(scimSaid).toEqual({ people: 240, right: 240 })
})
