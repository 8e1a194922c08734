import { expect, test } from 'vitest'
import { importText, jsonl, prepare, type Rec, refusedLines } from './support.ts'

const setting = prepare()
const user = (fields: object): Rec => ({ kind: 'user', ...fields })
const users = async () => {
  const { world, tenant } = setting.tried
  return world.db<{ externalId: string; email: string; name: string; managers: string[]; id: string }[]>`
    select external_id as "externalId", email, display_name as name, manager_ids as managers, user_id as id from users
    where tenant_id = ${tenant.id} and type = 'USER_TYPE_HUMAN' and external_id is not null and deleted_at is null
    order by lower(email)`
}
const put = (records: readonly Rec[], options = {}) => importText(setting.tried, jsonl(records), options)

test('without an external id, the email address is the key of a person', async () => {
  const file = [
    user({ displayName: 'Ada', email: 'Ada@corp.example', managerEmail: 'bo@corp.example' }),
    user({ displayName: 'Bo', email: 'bo@corp.example' }),
  ]
  expect((await put(file)).counts).toMatchObject([{ kind: 'user', added: 2 }])
  const [ada, bo] = await users()
  expect([ada, bo]).toMatchObject([
    { externalId: 'ada@corp.example', email: 'Ada@corp.example', managers: [bo?.id] },
    { externalId: 'bo@corp.example', managers: [] },
  ])
  expect((await put(file)).counts).toMatchObject([{ kind: 'user', added: 0, changed: 0, unchanged: 2 }])
})

test('an employee number later becomes the key of a person whose key is the address, but not the other way round', async () => {
  await put([user({ displayName: 'Ada', email: 'ada@corp.example' })])
  const [before] = await users()
  await put([user({ externalId: 'E1', displayName: 'Ada', email: 'ADA@corp.example' })])
  expect(await users()).toMatchObject([{ id: before?.id, externalId: 'E1', email: 'ADA@corp.example' }])
  await put([user({ displayName: 'Ada L', email: 'ada@corp.example' })])
  expect(await users()).toMatchObject([{ id: before?.id, externalId: 'E1', name: 'Ada L' }])
  // Two employee numbers are two people, whatever their address.
  expect(await refusedLines(put([user({ externalId: 'E2', displayName: 'Eve', email: 'ada@corp.example' })]))).toEqual([
    'line 1: user: email: is that of the user "E1"',
  ])
})

test('two lines never describe the same person', async () => {
  await put([user({ externalId: 'E1', displayName: 'Ada', email: 'ada@corp.example' })])
  const twice = [
    user({ externalId: 'E1', displayName: 'Ada', email: 'new@corp.example' }),
    user({ displayName: 'Eve', email: 'ada@corp.example' }),
  ]
  expect(await refusedLines(put(twice))).toEqual(['line 2: user: externalId: the same user as on line 1'])
})

test('managers are found by their address in the file and in the database; others are refused', async () => {
  await put([user({ externalId: 'B', displayName: 'Bo', email: 'bo@corp.example' })])
  await put([user({ displayName: 'Ada', email: 'ada@corp.example', managerEmail: 'BO@corp.example' })])
  const [ada, bo] = await users()
  expect(ada?.managers).toEqual([bo?.id])
  const wrong = [
    user({ displayName: 'Cy', email: 'cy@corp.example', managerEmail: 'nobody@corp.example' }),
    user({ displayName: 'Di', email: '' }),
    user({ displayName: 'Ed', email: 'ed@corp.example', managerEmail: 'no address' }),
  ]
  expect(await refusedLines(put(wrong))).toEqual([
    'line 1: user: managerEmail: there is no user "nobody@corp.example"',
    'line 2: user: externalId: is missing, and so is email',
    'line 3: user: managerEmail: is not an email address',
  ])
  // The external id of a manager counts more than an address.
  await put([user({ displayName: 'Ada', email: 'ada@corp.example', manager: 'B', managerEmail: 'x@corp.example' })])
  expect((await users())[0]?.managers).toEqual([bo?.id])
})
