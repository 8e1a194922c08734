import { afterAll, beforeAll, expect, test } from 'vitest'
import { transact } from '#kernel/sql.ts'
import { operatorCause } from '#rooms/foundation/systemlog/index.ts'
import { setRoles, setStatus } from '#rooms/identity/users/index.ts'
import { run, runProcess } from '../cli/command.ts'
import { type Access, ask, eventually, getToken, openAccess, outcomeOf } from '../fixture/access.ts'
import { startServer, type TestServer } from '../fixture/server.ts'

let server: TestServer
let access: Access
const owner = 'owner@localhost'

beforeAll(async () => {
  server = await startServer({ flags: { owner } })
  access = await openAccess(server)
})
afterAll(async () => {
  await access?.close()
  await server?.stop()
})

const bailiwick = (...args: string[]) =>
  run(['user', ...args, '--data-dir', server.config.dataDir, '--database-url', server.databaseUrl])

test('an operator lists users, sets their roles, and shuts them out and in again', async () => {
  const userId = await access.makeUser({ email: 'kim@example.com', roles: ['system:user'] })
  const token = await getToken(server, await access.makeKey(userId))
  const listed = await bailiwick('list')
  expect(listed.code, listed.stderr).toBe(0)
  expect(listed.stdout).toMatch(/^kim@example\.com .* Enabled +Person +Basic User$/m)

  expect(await bailiwick('set-roles', 'kim@example.com', '--role', 'system:viewer')).toMatchObject({
    code: 0,
    stdout: 'kim@example.com has the roles Read-Only Administrator.\n',
  })
  expect(await eventually(async () => (await ask(server, '/api/v1/users', { token })).status === 200)).toBe(true)

  expect(await bailiwick('disable', 'kim@example.com')).toMatchObject({
    code: 0,
    stdout: 'kim@example.com is disabled.\n',
  })
  const data = ['--data-dir', server.config.dataDir, '--database-url', server.databaseUrl]
  const refused = await runProcess(['credential', 'create', '--user', 'kim@example.com', '--name', 'x', ...data])
  expect(refused).toMatchObject({ code: 2, stdout: '' })
  expect(refused.stderr).toMatch(/^bailiwick: The user .* <kim@example\.com> is disabled: enable the user .*\n$/)
  const isShutOut = async () => outcomeOf(await ask(server, '/api/v1/users', { token })) === '401/16 USER_DISABLED'
  expect(await eventually(isShutOut)).toBe(true)
  expect(await bailiwick('enable', 'kim@example.com')).toMatchObject({ code: 0 })
  expect(await eventually(async () => (await ask(server, '/api/v1/users', { token })).status === 200)).toBe(true)

  const rows = await server.db<{ message: string }[]>`
    select event::jsonb ->> 'message' as message from systemlog_events
    where event::jsonb #>> '{api,operation}' like 'bailiwick user %' order by event_id`
  expect(rows.map(({ message }) => message.split(' ')[0])).toEqual(['Set', 'Disabled', 'Enabled'])
})

test('an operator gets errors in one line', async () => {
  expect(await bailiwick('disable', 'nobody@example.com')).toMatchObject({
    code: 2,
    stderr: 'bailiwick: no user has the email address nobody@example.com\n',
  })
  const unknown = await bailiwick('set-roles', owner, '--role', 'system:user', '--role', 'auditor')
  expect(unknown.code).toBe(2)
  expect(unknown.stderr).toContain('bailiwick: there is no role "auditor"; choose one of: ')
  expect(unknown.stderr).toContain('system:viewer (Read-Only Administrator)')
  expect(await bailiwick('disable', owner)).toMatchObject({
    code: 2,
    stderr: 'bailiwick: That would leave no enabled Super Administrator.\n',
  })
})

test('the last enabled Super Administrator can be neither disabled nor demoted, not even by two at once', async () => {
  const tenant = await access.makeTenant('owners.example')
  const cause = operatorCause(tenant, 'test')
  const { world } = access
  const [first] = await server.db<{ id: string }[]>`
    select user_id as id from users where tenant_id = ${tenant.id}`
  const firstId = first?.id as string
  const viewer = await access.roleId('system:viewer', tenant)
  const disable = (id: string) => transact(world.db, (tx) => setStatus(tx, world, cause, id, { status: 'DISABLED' }))
  const demote = (id: string) => transact(world.db, (tx) => setRoles(tx, world, cause, id, [viewer]))
  await expect(disable(firstId)).rejects.toMatchObject({ reason: 'LAST_OWNER', status: 400, code: 9 })
  await expect(demote(firstId)).rejects.toMatchObject({ reason: 'LAST_OWNER' })

  const second = await access.makeUser({ tenant, roles: ['system:owner'] })
  const outcomes = await Promise.allSettled([disable(firstId), demote(second)])
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
})
