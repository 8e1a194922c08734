import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Json } from '../fixture/access.ts'

export type AppUser = Json & { id: string; userName: string; active: boolean }
export type AppGroup = { id: string; displayName: string; members: { value: string; type?: string }[] }
type Asked = { method: string; path: string; query: URLSearchParams; body: Json; headers: IncomingMessage['headers'] }
/** In place of the usual answer; null leaves that. */
type Bend = (asked: Asked, response: ServerResponse) => true | null

export type ScimApp = {
  url: string
  token: string
  users: Map<string, AppUser>
  groups: Map<string, AppGroup>
  asked: Asked[]
  /** How it misbehaves. */
  bend: Bend | null
  /** Lists leave members out. */
  hasNoMembersInLists: boolean
  /** How many it returns at most, whatever was asked for. */
  pageMax: number
  isIgnoringCount: boolean
  isIgnoringStart: boolean
  /** Does not understand paths with filters. */
  hasNoFilterPaths: boolean
  /** What it says it has, in place of what it has. */
  total: ((real: number) => unknown) | null
  addUser(userName: string, rest?: Json): AppUser
  addGroup(displayName: string, members?: readonly string[]): AppGroup
  members(group: string): string[]
  /** The requests that change something, as `PATCH /Groups/…`. */
  changes(): string[]
  close(): Promise<void>
}

const id = (): string => randomBytes(8).toString('hex')
const listUrn = 'urn:ietf:params:scim:api:messages:2.0:ListResponse'
const errorUrn = 'urn:ietf:params:scim:api:messages:2.0:Error'

/** A small app that speaks SCIM 2.0, and misbehaves when told to. */
export async function startScimApp(): Promise<ScimApp> {
  const users = new Map<string, AppUser>()
  const groups = new Map<string, AppGroup>()
  const server = createServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      const url = new URL(request.url ?? '/', 'http://app')
      const text = Buffer.concat(pieces).toString()
      const asked: Asked = {
        method: request.method ?? '',
        path: url.pathname.replace(/^\/scim\/v2/, ''),
        query: url.searchParams,
        body: text === '' ? {} : (JSON.parse(text) as Json),
        headers: request.headers,
      }
      app.asked.push(asked)
      if (!app.bend?.(asked, response)) answer(asked, response)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo

  const app: ScimApp = {
    url: `http://127.0.0.1:${port}/scim/v2`,
    token: `token-${id()}${id()}`,
    ...{ users, groups, asked: [], bend: null, total: null, pageMax: 1000 },
    ...{ hasNoMembersInLists: false, isIgnoringCount: false, isIgnoringStart: false, hasNoFilterPaths: false },
    addUser(userName, rest = {}) {
      const user = {
        id: id(),
        userName,
        active: true,
        emails: [{ value: userName, primary: true }],
        ...rest,
      } as AppUser
      users.set(user.id, user)
      return user
    },
    addGroup(displayName, members = []) {
      const group = { id: id(), displayName, members: members.map((value) => ({ value })) }
      groups.set(group.id, group)
      return group
    },
    members: (name) =>
      [...groups.values()]
        .filter(({ displayName }) => displayName === name)
        .flatMap(({ members }) => members.map(({ value }) => users.get(value)?.userName ?? value))
        .toSorted(),
    changes: () =>
      app.asked.filter(({ method }) => method !== 'GET').map(({ method, path }) => `${method} ${path.split('/')[1]}`),
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }

  function answer({ method, path, query, body, headers }: Asked, response: ServerResponse): void {
    const say = (status: number, json: object | null): void => {
      response.writeHead(status, { 'content-type': 'application/scim+json' })
      response.end(json === null ? '' : JSON.stringify(json))
    }
    const refuse = (status: number, detail: string, scimType = ''): void =>
      say(status, { schemas: [errorUrn], status: String(status), detail, ...(scimType && { scimType }) })
    if (headers.authorization !== `Bearer ${app.token}`) return refuse(401, `Wrong: ${headers.authorization}`)
    const [, kind = '', key] = path.split('/')
    if (kind === 'ServiceProviderConfig') return say(200, { patch: { supported: true }, filter: { maxResults: 200 } })
    if (kind !== 'Users' && kind !== 'Groups') return refuse(404, 'There is nothing here.')
    const all: Map<string, AppUser | AppGroup> = kind === 'Users' ? users : groups
    if (key === undefined && method === 'GET') {
      const filter = /^(\w+) eq (".*")$/.exec(query.get('filter') ?? '')
      const named = filter?.[1] ?? ''
      const found = [...all.values()].filter(
        (each) => !filter || (each as Json)[named] === (JSON.parse(filter[2] as string) as string),
      )
      const start = app.isIgnoringStart ? 0 : Number(query.get('startIndex') ?? 1) - 1
      const count = app.isIgnoringCount ? found.length : Math.min(Number(query.get('count') ?? 100), app.pageMax)
      const isWithout = app.hasNoMembersInLists || query.get('excludedAttributes') === 'members'
      const Resources = found.slice(start, start + count).map(({ members, ...rest }) => ({
        ...rest,
        ...(members !== undefined && !isWithout && { members }),
      }))
      const totalResults = app.total ? app.total(found.length) : found.length
      return say(200, {
        schemas: [listUrn],
        totalResults,
        startIndex: start + 1,
        itemsPerPage: Resources.length,
        Resources,
      })
    }
    if (key === undefined && method === 'POST') {
      const userName = body['userName'] as string
      if ([...users.values()].some((user) => user.userName === userName)) return refuse(409, 'Taken.', 'uniqueness')
      return say(201, app.addUser(userName, { ...body, id: id() }))
    }
    const one = all.get(decodeURIComponent(key ?? ''))
    if (!one) return refuse(404, 'There is no such thing.')
    if (method === 'GET') return say(200, one)
    if (method === 'DELETE') {
      all.delete(one.id)
      for (const group of groups.values()) group.members = group.members.filter(({ value }) => value !== one.id)
      return say(204, null)
    }
    for (const each of body['Operations'] as { op: string; path?: string; value?: unknown }[]) {
      const by = /^members\[value eq (".*")\]$/.exec(each.path ?? '')
      const group = one as AppGroup
      const values = (Array.isArray(each.value) ? each.value : []) as { value: string }[]
      if (by && app.hasNoFilterPaths) return refuse(400, 'Paths with filters are not supported.', 'invalidPath')
      if (by) group.members = group.members.filter(({ value }) => value !== (JSON.parse(by[1] as string) as string))
      else if (each.path === 'members' && each.op === 'add')
        for (const { value } of values) {
          if (!group.members.some((member) => member.value === value)) group.members.push({ value })
        }
      else if (each.path === 'members' && each.op === 'remove')
        group.members = group.members.filter(({ value }) => !values.some((gone) => gone.value === value))
      else if (each.path === 'active') (one as AppUser).active = each.value as boolean
      else return refuse(400, 'What is that?', 'invalidPath')
    }
    say(200, one)
  }
  return app
}
