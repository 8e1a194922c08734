import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Access, ask, getToken, type Json, type Key, openAccess } from '../fixture/access.ts'
import { fewOrMany } from '../fixture/long.ts'
import { startServer, type TestServer } from '../fixture/server.ts'
import { diceOf } from './dice.ts'

/**
 * Eight clients at once, on two servers of one database: hundreds of Sets, creates and deletes of the owners of one app in
 * two roles. Afterwards the record is asked for one order of the calls that explains everything that anyone was answered.
 */

let server: TestServer
let beside: TestServer
let access: Access
let key: Key
let token: string
let appId: string
const people: string[] = []
beforeAll(async () => {
  server = await startServer()
  beside = await startServer({ beside: server })
  access = await openAccess(server)
  key = await access.makeCaller(['system:owner'])
  token = await getToken(server, key)
  for (let n = 0; n < 8; n++) people.push(await access.makeUser())
  const made = await ask(server, '/api/v1/apps', { token, body: { displayName: 'Contested' } })
  appId = (made.json['app'] as Json)['id'] as string
})
afterAll(async () => {
  await access.close()
  await beside.stop()
  await server.stop()
})

type Call = { role: string; verb: 'set' | 'add' | 'remove' | 'read'; users: number[] }
/** What was asked, what was answered (a status; for reads who was there), and between which ticks. */
type Done = Call & { answer: string; from: number; to: number }

const roles = ['primary', 'backup']
const clients = 8
const callsEach = fewOrMany(15, 400)

const send = async (to: TestServer, { role, verb, users }: Call): Promise<string> => {
  const host = `localhost:${new URL(server.url).port}`
  const base = `/api/v2/apps/${appId}/owners`
  const idOf = (n: number | undefined): string => people[n ?? 0] as string
  if (verb === 'set') {
    const body = { roleSlug: role, userRefs: users.map((n) => ({ id: idOf(n) })) }
    return String((await ask(to, base, { method: 'PUT', token, host, body })).status)
  }
  if (verb !== 'read') {
    const path = `${base}/users/${role}/${idOf(users[0])}`
    return String((await ask(to, path, { method: verb === 'add' ? 'POST' : 'DELETE', token, host, body: {} })).status)
  }
  const { status, json } = await ask(to, `${base}/users?role_slug=${role}&page_size=100`, { token, host })
  const list = json['list'] as Json[]
  return `${status} ${maskOf(list.map((item) => people.indexOf((item['user'] as Json)['id'] as string)))}`
}

const maskOf = (users: readonly number[]): number => users.reduce((mask, n) => mask | (1 << n), 0)

/** The model: who is there, as bits; what a call makes of it, and what it answers. */
function step(state: number, { verb, users }: Call): { state: number; answer: string } {
  const mask = maskOf(users)
  if (verb === 'set') return { state: mask, answer: '200' }
  if (verb === 'add') return { state: state | mask, answer: '200' }
  if (verb === 'remove') return { state: state & ~mask, answer: state & mask ? '200' : '404' }
  return { state, answer: `200 ${state}` }
}

/**
 * Whether some order explains it: one in which no call comes before another that had ended when it began. Each client's
 * calls are in order, so how far each has come and what the state is tell all; what was tried once is not tried again.
 */
function isExplained(byClient: readonly Done[][], end: number): boolean {
  const tried = new Set<string>()
  const search = (at: readonly number[], state: number): boolean => {
    const heads = byClient.map((calls, client) => calls[at[client] as number])
    if (heads.every((head) => head === undefined)) return state === end
    const name = `${at.join()} ${state}`
    if (tried.has(name)) return false
    tried.add(name)
    const firstEnd = Math.min(...heads.map((head) => head?.to ?? Number.POSITIVE_INFINITY))
    return heads.some((head, client) => {
      if (!head || head.from > firstEnd) return false
      const next = step(state, head)
      return next.answer === head.answer && search(at.with(client, (at[client] as number) + 1), next.state)
    })
  }
  return search(
    byClient.map(() => 0),
    0,
  )
}

test('the checker tells what no order explains from what one does', () => {
  const set = { role: 'primary', verb: 'set', users: [0, 1], answer: '200', from: 1, to: 4 } as const
  const read = (mask: number, from: number, to: number): Done => ({
    role: 'primary',
    verb: 'read',
    users: [],
    answer: `200 ${mask}`,
    from,
    to,
  })
  const explained = (reads: Done[], end = 3): boolean => isExplained([[{ ...set, users: [...set.users] }], reads], end)
  expect([explained([read(0, 2, 3)]), explained([read(3, 2, 3)])]).toEqual([true, true])
  expect(explained([read(0, 2, 3), read(3, 5, 6)])).toBe(true)
  // Half a Set; what was there before it, after it had ended; back and forth; another end.
  expect(explained([read(1, 2, 3)])).toBe(false)
  expect(explained([read(0, 5, 6)])).toBe(false)
  expect(explained([read(3, 2, 2.5), read(0, 2.6, 3)])).toBe(false)
  expect(explained([], 1)).toBe(false)
})

test('changes by eight clients at once are explained by one order of them, and so is the end', async () => {
  let tick = 0
  const run = async (client: number): Promise<Done[]> => {
    const dice = diceOf(client)
    const done: Done[] = []
    for (let n = 0; n < callsEach; n++) {
      const role = roles[dice(roles.length)] as string
      const verb = (['set', 'add', 'remove', 'add', 'remove', 'read'] as const)[dice(6)] as Call['verb']
      const users = verb === 'set' ? people.map((_, i) => i).filter(() => dice(2) === 0) : [dice(people.length)]
      const from = ++tick
      const answer = await send(client % 2 ? beside : server, { role, verb, users })
      done.push({ role, verb, users, answer, from, to: ++tick })
    }
    return done
  }
  const all = await Promise.all(Array.from({ length: clients }, (_, client) => run(client)))
  expect(all.flat().filter(({ verb }) => verb !== 'read').length).toBeGreaterThan((clients * callsEach * 3) / 4)
  for (const role of roles) {
    const ofRole = all.map((calls) => calls.filter((call) => call.role === role))
    const end = Number((await send(server, { role, verb: 'read', users: [] })).split(' ')[1])
    expect(isExplained(ofRole, end), role).toBe(true)
  }
})

test('the system log tells the same: its events lead to the state that is there', async () => {
  const rows = await server.db<{ event: string }[]>`select event from systemlog_events order by event_id`
  const open = new Set<string>()
  const now = await server.db<{ id: string }[]>`
    select owner_id as id from owners where ended_at is null order by owner_id`
  const changes = rows
    .map(({ event }) => JSON.parse(event) as { resources?: { type: string; uid: string; data: Json }[] })
    .flatMap(({ resources = [] }) => resources.filter(({ type }) => type === 'owner'))
  // Two servers' clocks and ids are not in one order: that each row came once, and went at most once, is.
  for (const { uid, data } of changes.toSorted((a, b) =>
    a.data['change'] === b.data['change'] ? 0 : a.data['change'] === 'added' ? -1 : 1,
  )) {
    expect(open.has(uid)).toBe(data['change'] !== 'added')
    if (data['change'] === 'added') open.add(uid)
    else open.delete(uid)
  }
  expect([...open].toSorted()).toEqual(now.map(({ id }) => id).toSorted())
})

test('at no moment does the record hold a mixture of two Sets', async () => {
  const made = await ask(server, '/api/v1/apps', { token, body: { displayName: 'Replaced' } })
  const id = (made.json['app'] as Json)['id'] as string
  const host = `localhost:${new URL(server.url).port}`
  // Each client has owners of its own: whoever is there at a moment must all be of one.
  const ownersOf = (client: number): number[] => [client % 4, 4 + (client % 4)]
  const run = async (client: number): Promise<void> => {
    for (let n = 0; n < fewOrMany(4, 10); n++) {
      const userRefs = ownersOf(client).map((each) => ({ id: people[each] as string }))
      const path = `/api/v2/apps/${id}/owners`
      const reply = await ask(client % 2 ? beside : server, path, {
        method: 'PUT',
        token,
        host,
        body: { roleSlug: 'primary', userRefs },
      })
      expect(reply.status, reply.text).toBe(200)
    }
  }
  await Promise.all(Array.from({ length: clients }, (_, client) => run(client)))
  const rows = await server.db<{ from: Date; to: Date | null; userId: string }[]>`
    select began_at as from, ended_at as to, user_id as "userId" from owners where object_id = ${id}`
  const states = rows.map(({ from: at }) =>
    rows
      .filter(({ from, to }) => from <= at && (!to || to > at))
      .map(({ userId }) => people.indexOf(userId))
      .toSorted((a, b) => a - b),
  )
  const whole = new Set(['', ...Array.from({ length: 4 }, (_, client) => ownersOf(client).join())])
  expect(states.map((state) => state.join()).filter((state) => !whole.has(state))).toEqual([])
  expect(rows.filter(({ to }) => to === null)).toHaveLength(2)
})
