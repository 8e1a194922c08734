import { type ChildProcess, spawn } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, test } from 'vitest'
import { readServeConfig } from '#server/settings/config.ts'
import { type Access, ask, eventually, getToken, openAccess } from '../fixture/access.ts'
import { makeFolder } from '../fixture/folder.ts'
import { makeDatabase } from '../fixture/server.ts'
import { insert, update } from '../fixture/write.ts'
import { cel, isSettled, pathOf } from './scene.ts'

const undo: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const each of undo.splice(0).toReversed()) await each()
})

type Child = { process: ChildProcess; url: string }

/** The real server in a process of its own, on a database that others serve too. */
async function startChild(flags: Record<string, string>): Promise<Child> {
  const script = fileURLToPath(new URL('../faults/server.ts', import.meta.url))
  const child = spawn(process.execPath, [script, JSON.stringify({ 'log-level': 'error', ...flags })], { stdio: 'pipe' })
  const exit = new Promise((resolve) => child.once('close', resolve))
  undo.push(async () => {
    child.kill('SIGKILL')
    await exit
  })
  let told = ''
  child.stderr.on('data', (text) => (told += String(text)))
  const first = new Promise<string>((resolve) => createInterface({ input: child.stdout }).once('line', resolve))
  const said = await Promise.race([first, exit.then(() => null)])
  if (said === null) throw new Error(`did not serve: ${told}`)
  return { process: child, ...(JSON.parse(said) as { url: string }) }
}

type Stage = { access: Access; flags: Record<string, string> }
async function prepare(): Promise<Stage> {
  const database = await makeDatabase()
  undo.push(database.drop)
  const dataDir = await makeFolder()
  undo.push(() => rm(dataDir, { recursive: true, force: true }))
  const flags = { 'data-dir': dataDir, 'database-url': database.url, host: 'localhost', port: '0' }
  const first = await startChild(flags)
  const access = await openAccess({ config: readServeConfig(flags, {}), url: first.url })
  undo.push(access.close)
  first.process.kill('SIGKILL')
  return { access, flags }
}

const count = 6000

const rules = [
  ['in one statement', 'subject.department == "Crowd"'],
  ['user by user', '[subject.department].map(d, d + "!").exists(d, d == "Crowd!")'],
] as const
test.each(rules)(
  'two servers, one killed in the middle of a run that finds %s: the end is right, and every grant was given once',
  async (_, expression) => {
    const { access, flags } = await prepare()
    const { world, tenant } = access
    const [a, b] = await Promise.all([startChild(flags), startChild(flags)])
    const token = await getToken(a, await access.makeCaller(['system:owner']), { host: tenant.domain })
    const post = (path: string, body: object) => ask(b, path, { token, body, host: tenant.domain })
    const { json } = await post('/api/v1/apps', { displayName: 'An app' })
    const appId = (json['app'] as { id: string }).id
    const made = await post(`/api/v1/apps/${appId}/entitlements`, { displayName: 'A target' })
    const view = made.json['appEntitlementView'] as { appEntitlement: { id: string } }
    const target = { appId, id: view.appEntitlement.id }
    const crowd = world.db`(tenant_id, user_id, display_name, department, created_at, updated_at)
      select ${tenant.id}::int, lpad(n::text, 27, '0'), 'Someone', 'Crowd', now(), now()
      from generate_series(1, ${count}) n`
    await insert(world.db, tenant.id, 'users', crowd)
    // So many at once are more than the breaker lets a rule give.
    expect((await post(`${pathOf(target)}/automation/create`, { automation: { none: {} } })).status).toBe(200)
    expect((await post(`${pathOf(target)}/automation/breaker`, { breakerOff: true })).status).toBe(200)
    const reply = await post(`${pathOf(target)}/automation/update`, cel(expression))
    expect(reply.status, reply.text).toBe(200)

    const isUnderWay = async (): Promise<boolean> => {
      const [run] =
        await world.db`select 1 from automation_runs where status = 'running' and gained between 1 and ${count - 1}`
      return run !== undefined
    }
    expect(await eventually(isUnderWay)).toBe(true)
    a.process.kill('SIGKILL')
    // While the other one goes on, somebody leaves and somebody comes.
    await update(world.db, 'users', { department: 'Elsewhere' }, world.db`x.user_id = lpad(${count}::text, 27, '0')`)
    await access.makeUser()
    expect(await eventually(() => isSettled(world.db))).toBe(true)

    const [grants] = await world.db`
    select count(*) filter (where ended_at is null) as open, count(*) as all, count(distinct account_id) as accounts,
      count(*) filter (where ended_at is null and a.department = 'Elsewhere') as wrong
    from grants g join (select c.account_id as id, u.department from accounts c join users u using (tenant_id, user_id)) a
      on a.id = g.account_id where entitlement_id = ${target.id}`
    expect(grants).toMatchObject({ open: count - 1, accounts: grants?.['all'] as number, wrong: 0 })
    const runs = await world.db`select status, gained, lost from automation_runs where entitlement_id = ${target.id}`
    const sum = (name: string): number => runs.reduce((total, run) => total + (run[name] as number), 0)
    expect(runs.map(({ status }) => status as string)).toEqual(runs.map(() => 'done'))
    expect(sum('gained') - sum('lost')).toBe(count - 1)
    expect(sum('gained')).toBe(grants?.['all'])
    const [told] = await world.db`
    select count(*) from systemlog_events e, jsonb_array_elements(e.event::jsonb -> 'resources') r
    where r ->> 'type' = 'grant' and r #> '{data,gave}' = 'true'`
    expect(told).toEqual({ count: grants?.['all'] as number })
  },
)
