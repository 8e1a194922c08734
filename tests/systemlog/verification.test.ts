import { beforeEach, expect, test } from 'vitest'
import { verifyNow } from '#rooms/foundation/systemlog/verification/verify.ts'
import { run } from '../cli/command.ts'
import { ask, type Json } from '../fixture/access.ts'
import { listAll, prepare, tamper } from './support.ts'

const setting = prepare()
const path = '/api/v1/systemlog/verification'
type State = {
  links: string
  latest: {
    id: string
    by: string
    byUserId: string
    byName: string
    fromLink: string
    upToLink: string
    eventCount: string
    isComplete: boolean
    findingCount: string
    findings: string[]
    finishedAt: string
    walkBeganAt: string
  } | null
}
const state = async (): Promise<State> => (await ask(setting.server, path, { token: setting.token })).json as State
async function verify(body: object = {}): Promise<NonNullable<State['latest']>> {
  const reply = await ask(setting.server, path, { token: setting.token, body })
  expect(reply.status, reply.text).toBe(200)
  return (reply.json as State).latest as NonNullable<State['latest']>
}
const somethingHappens = (): Promise<{ json: Json }> =>
  ask(setting.server, '/api/v1/iam/personal_clients', { token: setting.token, body: { displayName: 'x' } })

beforeEach(async () => {
  await setting.server.db`delete from systemlog_verifications`
})

test('a log that was not verified says so; then it says when it was verified, by whom and up to where', async () => {
  expect((await state()).latest).toBeNull()
  const begun = Date.now()
  const first = await verify()
  expect(first).toMatchObject({
    by: 'VERIFIED_BY_USER',
    byUserId: setting.owner.userId,
    fromLink: '0',
    isComplete: true,
    findingCount: '0',
  })
  expect(Date.parse(first.finishedAt)).toBeGreaterThanOrEqual(begun - 1)
  expect(Number(first.eventCount)).toBeGreaterThan(3)
  const { latest, links } = await state()
  expect(latest?.id).toBe(first.id)
  expect(Number(links)).toBeGreaterThanOrEqual(Number(first.upToLink))
  // Who asked for it is in the log itself.
  const events = await listAll(setting.server, setting.token)
  expect(events.some(({ message }) => message === 'Verified the system log: no changes found')).toBe(true)
})

test('the next one goes on behind the last, and reads everything where that is asked for', async () => {
  const first = await verify()
  await somethingHappens()
  const second = await verify()
  expect(second.fromLink).toBe(first.upToLink)
  expect(Number(second.upToLink)).toBeGreaterThan(Number(first.upToLink))
  expect(Number(second.eventCount)).toBeLessThan(Number(first.eventCount))
  expect(second.walkBeganAt).toBe(first.walkBeganAt)
  const whole = await verify({ isWhole: true })
  expect(whole.fromLink).toBe('0')
  expect(Number(whole.eventCount)).toBeGreaterThan(Number(second.eventCount))
})

test('a row that someone else wrote counts for nothing', async () => {
  const first = await verify()
  await setting.server.db`
    insert into systemlog_verifications select tenant_id, ${setting.access.world.newId()}, by_kind, by_id, by_name, started_at,
      now(), now(), from_seal, seal_number + 1000, seal_mac, event_count, true, 0, '[]', mac from systemlog_verifications`
  expect((await state()).latest?.id).toBe(first.id)
  await setting.server.db`update systemlog_verifications set by_name = 'An Auditor' where verification_id = ${first.id}`
  expect((await state()).latest).toBeNull()
  // Nor does the next verification begin behind what it claims.
  expect((await verify()).fromLink).toBe('0')
})

test('the server’s own verifications and those of the command are kept too', async () => {
  const { access, server } = setting
  const by = { byKind: 'server', byId: '', byName: '' } as const
  await verifyNow(access.world, access.tenant.id, by)
  expect((await state()).latest).toMatchObject({ by: 'VERIFIED_BY_SERVER', findingCount: '0' })
  const ran = await run([
    ...['systemlog', 'verify', '--json', '--data-dir', server.config.dataDir],
    ...['--database-url', server.databaseUrl],
  ])
  expect(ran.code, ran.stderr + ran.stdout).toBe(0)
  expect(ran.stdout).not.toContain('sealMac')
  const { latest } = await state()
  expect(latest).toMatchObject({ by: 'VERIFIED_BY_COMMAND', findingCount: '0', fromLink: '0', isComplete: true })
  expect(latest?.byName).toMatch(/ on /)
})

test('an event that was altered is found, told, and found again until it is as it was; what was verified before is found by reading everything', async () => {
  const { server, token, access } = setting
  const first = await verify()
  await somethingHappens()
  await listAll(server, token)
  const [late] = await server.db<{ id: string; event: string }[]>`
    select event_id as id, event from systemlog_events where tenant_id = ${access.tenant.id} and seal_number > ${Number(first.upToLink)}
    order by seal_number, seal_position limit 1`
  const [early] = await server.db<{ id: string; event: string }[]>`
    select event_id as id, event from systemlog_events where tenant_id = ${access.tenant.id} and seal_number = 1 limit 1`
  const put = (row: { id: string; event: string } | undefined, text: string): Promise<unknown> =>
    tamper(server.db, () => server.db`update systemlog_events set event = ${text} where event_id = ${row?.id ?? ''}`)
  await put(late, '{"message":"nothing"}')
  for (let time = 0; time < 2; time++) {
    const failed = await verify()
    expect(failed.findingCount).not.toBe('0')
    expect(failed.findings.join()).toContain(`event ${late?.id}`)
    expect(failed.fromLink).toBe(first.upToLink)
    expect((await state()).latest?.findingCount).not.toBe('0')
  }
  const alarms = (await listAll(server, token)).filter((e) => e.status_code === 'SYSTEM_LOG_VERIFICATION_FAILED')
  // Told once, however often it is found.
  expect(alarms).toHaveLength(1)
  await put(late, late?.event ?? '')
  expect((await verify()).findingCount).toBe('0')
  await put(early, '{"message":"nothing"}')
  expect((await verify()).findingCount).toBe('0')
  expect((await verify({ isWhole: true })).findings.join()).toContain(early?.id)
  await put(early, early?.event ?? '')
  expect((await verify({ isWhole: true })).findingCount).toBe('0')
})

test('a chain that was cut behind the last verification is found', async () => {
  const first = await verify()
  await somethingHappens()
  const last = await verify()
  expect(Number(last.upToLink)).toBeGreaterThan(Number(first.upToLink))
  const { server, access } = setting
  // In a copy of the tenant's last link: it is put back afterwards.
  const [seal] = await server.db<{ mac: Buffer }[]>`
    select mac from systemlog_seals where tenant_id = ${access.tenant.id} and seal_number = ${Number(last.upToLink)}`
  await tamper(
    server.db,
    () => server.db`
      update systemlog_seals set mac = ${Buffer.alloc(32)} where tenant_id = ${access.tenant.id} and seal_number = ${Number(last.upToLink)}`,
  )
  const failed = await verifyNow(access.world, access.tenant.id, { byKind: 'server', byId: '', byName: '' })
  expect(failed.findings.map(({ what }) => what).join()).toContain('up to which the log was verified before')
  await tamper(
    server.db,
    () => server.db`
      update systemlog_seals set mac = ${seal?.mac ?? Buffer.alloc(0)}
      where tenant_id = ${access.tenant.id} and seal_number = ${Number(last.upToLink)}`,
  )
})
