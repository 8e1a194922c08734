import type { Claim, Side } from '../claim.ts'
import { load, requestBytes } from '../load.ts'
import { type LargeDirectory, startLarge } from '../scim-large.ts'

const numberIn = (name: string, usual: number): number => Number(process.env[name] ?? usual)
const sizes = {
  users: numberIn('BENCH_SCIM_USERS', 100_000),
  groups: numberIn('BENCH_SCIM_GROUPS', 100),
  members: numberIn('BENCH_SCIM_MEMBERS', 10_000),
}
const connections = 4

/** What identity providers ask, one kind after the other. */
function requestsOf({ appId, token, users, groups, members, userId, groupId }: LargeDirectory): () => Buffer {
  const headers = { authorization: `Bearer ${token}` }
  const at = (path: string): string => `/scim/v2/${appId}${path}`
  const get = (path: string): Buffer => requestBytes('GET', at(path), { headers })
  const patch = (path: string, operation: object): Buffer =>
    requestBytes('PATCH', at(path), { headers, body: JSON.stringify({ Operations: [operation] }) })
  const filter = (text: string): string => `filter=${encodeURIComponent(text)}`
  const letter = userId(1).slice(0, 1)
  let n = 0
  return () => {
    const mine = n++
    const user = 1 + ((mine * 7919) % users)
    const group = 1 + (mine % groups)
    const member = 1 + ((group * 997 + 1 + (mine % members)) % users)
    const kinds: (() => Buffer)[] = [
      () => get('/Users?count=100'),
      () => get(`/Users?startIndex=${users - 99}&count=100`),
      () => get(`/Users?${filter(`userName eq "${letter}${user}"`)}`),
      () => get(`/Users?${filter(`externalId eq "x${user}"`)}`),
      () => get(`/Users?${filter(`emails[type eq "work"].value eq "${letter}${user}@example.com"`)}`),
      () => get(`/Groups?excludedAttributes=members&${filter(`displayName eq "Group ${group}"`)}`),
      () => get(`/Groups?attributes=id&${filter(`id eq "${groupId(group)}" and members eq "${userId(user)}"`)}`),
      () => patch(`/Users/${userId(user)}`, { op: 'replace', path: 'title', value: `Title ${mine}` }),
      () =>
        patch(`/Groups/${groupId(group)}?attributes=id`, {
          op: 'remove',
          path: `members[value eq "${userId(member)}"]`,
        }),
      () =>
        patch(`/Groups/${groupId(group)}?attributes=id`, {
          op: 'add',
          path: 'members',
          value: [{ value: userId(member) }],
        }),
    ]
    return (kinds[mine % kinds.length] as () => Buffer)()
  }
}

const sideOf = (port: number, next: () => Buffer): Omit<Side, 'stop'> => ({
  async round() {
    const { perSecond, statuses } = await load({ port, connections, durationMs: 2_000, next })
    const wrong = [...statuses.keys()].filter((status) => status >= 300)
    if (wrong.length > 0) throw new Error(`answers with ${wrong.join(', ')}`)
    return perSecond
  },
})

export const claim: Claim = {
  claim:
    `Pages, filters and updates by SCIM in a directory of ${sizes.users} users and ${sizes.groups} groups of ${sizes.members} members ` +
    'are at least 0.4 times as many as in one of 200 users and groups of 100.',
  unit: 'requests/s',
  ratioMin: 0.4,
  rounds: 5,
  async start() {
    const scene = await startLarge(sizes)
    return {
      subject: { ...sideOf(scene.port, requestsOf(scene.large)), stop: scene.stop },
      floor: { ...sideOf(scene.port, requestsOf(scene.small)), stop: async () => {} },
    }
  },
}
