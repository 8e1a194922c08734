import { expect, test } from 'vitest'
import { matchUsers, type Traces } from '#rooms/records/accounts/index.ts'
import { prepare } from '../grants/scene.ts'

const scene = prepare()
const nothing: Traces = { emails: [], usernames: [], employeeIds: [] }
const match = (...accounts: Partial<Traces>[]) =>
  matchUsers(
    scene.access.world.db,
    scene.access.tenant.id,
    accounts.map((traces) => ({ ...nothing, ...traces })),
  )

test('an account is matched by email address, else by username, else by employee id, whatever their case', async () => {
  const ana = await scene.user({
    email: 'Ana@match.example',
    username: 'AnaM',
    employeeId: 'M-1',
    displayName: 'Ana M',
  })
  const ben = await scene.user({ email: 'ben@match.example', username: 'ben', employeeId: 'M-2' })
  expect(
    await match(
      { emails: ['ana@MATCH.example'] },
      { usernames: ['anam'] },
      { employeeIds: ['m-1'] },
      { emails: ['unknown@match.example', 'BEN@match.example'] },
      { emails: ['ben@match.example'], usernames: ['anam'] },
      { emails: ['nobody@match.example'], usernames: ['nobody'], employeeIds: ['M-2'] },
    ),
  ).toEqual([ana, ana, ana, ben, ben, ben])
})

test('a trace of one kind does not match another kind, and a name counts only where it is asked for', async () => {
  const id = await scene.user({ email: 'kinds@match.example', username: 'kindly', displayName: 'Kind Lee' })
  expect(
    await match(
      { usernames: ['kinds@match.example'] },
      { emails: ['kindly'] },
      { usernames: ['kind lee'] },
      {},
      { emails: [''] },
      { displayName: 'KIND LEE' },
    ),
  ).toEqual([null, null, null, null, null, id])
})

test('a trace that leads to two people leads nowhere, and the next one decides', async () => {
  const one = await scene.user({ username: 'twin', employeeId: 'T-1' })
  await scene.user({ username: 'Twin', employeeId: 'T-2' })
  expect(await match({ usernames: ['twin'] }, { usernames: ['twin'], employeeIds: ['T-1'] })).toEqual([null, one])
})

test('neither a deleted user nor one of another tenant is matched', async () => {
  const gone = await scene.user({ email: 'gone@match.example' })
  await scene.server.db`update users set deleted_at = now() where user_id = ${gone}`
  const other = await scene.access.makeTenant('match.other.example')
  await scene.access.makeUser({ tenant: other, email: 'elsewhere@match.example' })
  expect(await match({ emails: ['gone@match.example'] }, { emails: ['elsewhere@match.example'] })).toEqual([null, null])
})
