import { afterAll, beforeAll, expect } from 'vitest'
import { splitStatements } from '#database/split.ts'
import type { Db } from '#kernel/sql.ts'
import { verifyLog } from '#rooms/foundation/systemlog/index.ts'
import { type Access, ask, getToken, type Key, openAccess } from '../fixture/access.ts'
import { startServer, type TestServer } from '../fixture/server.ts'

/** An event as it is listed. */
export type Event = {
  class_uid: number
  activity_id: number
  time: number
  message: string
  status: string
  status_code?: string
  status_detail?: string
  metadata: { uid: string; tenant_uid: string }
  actor: {
    user?: { uid?: string; name?: string; email_addr?: string }
    session?: object
    app_uid?: string
    invoked_by?: string
  }
  user?: { uid?: string; name?: string }
  api?: { operation: string; request?: { uid: string }; response?: { code: number; error: string } }
  resources?: { type: string; uid: string; name?: string; data?: Record<string, unknown> }[]
  src_endpoint: { ip?: string }
  session?: { uid: string }
  count?: number
  start_time?: number
  end_time?: number
  unmapped?: { unrecorded_denials?: number; operator?: Record<string, unknown> }
}
export const uidOf = (event: Event): string => event.metadata.uid

export type Listed = { status: number; list: Event[]; nextPageToken: string; text: string }

export async function listPage(
  server: { url: string },
  token: string,
  body: object = {},
  host?: string,
): Promise<Listed> {
  const asking = { method: 'POST', token, body, ...(host !== undefined && { host }) }
  const { status, json, text } = await ask(server, '/api/v1/systemlog/events', asking)
  return { status, text, ...(json as { list: Event[]; nextPageToken: string }) }
}

/** All pages, one after the other. */
export async function listAll(server: { url: string }, token: string, body: object = {}): Promise<Event[]> {
  const events: Event[] = []
  for (let pageToken = ''; ; ) {
    const page = await listPage(server, token, { pageSize: 100, ...body, pageToken })
    expect(page.status, page.text).toBe(200)
    events.push(...page.list)
    if (page.nextPageToken === '') return events
    pageToken = page.nextPageToken
  }
}

export type Setting = { server: TestServer; access: Access; owner: Key; token: string }

/** A server with a Super Administrator's token, for the tests of a file. */
export function prepare(flags: Record<string, string | boolean | string[]> = {}): Setting {
  const setting = {} as Setting
  beforeAll(async () => {
    setting.server = await startServer({ flags: { 'trusted-proxy': '127.0.0.1', ...flags } })
    setting.access = await openAccess(setting.server)
    setting.owner = await setting.access.makeCaller(['system:owner'])
    setting.token = await getToken(setting.server, setting.owner)
  })
  afterAll(async () => {
    await setting.access.close()
    await setting.server.stop()
  })
  return setting
}

type Verdict = Awaited<ReturnType<typeof verifyLog>>
export const verify = ({ access }: Pick<Setting, 'access'>, head: string | null = null): Promise<Verdict> =>
  verifyLog(access.world, access.tenant.id, head)

/** Statement by statement: Citus passes a statement on with all the text that was sent with it. */
export async function runEach(db: Pick<Db, 'unsafe'>, text: string): Promise<void> {
  for (const statement of splitStatements(text)) await db.unsafe(statement)
}

const tables = ['systemlog_events', 'systemlog_seals', 'systemlog_heads']

/** Does what only someone with the database's own rights can: changes the log with its triggers switched off. */
export async function tamper<T>(db: Db, change: () => Promise<T>): Promise<T> {
  for (const table of tables) await db.unsafe(`alter table ${table} disable trigger all`)
  try {
    return await change()
  } finally {
    for (const table of tables) await db.unsafe(`alter table ${table} enable trigger all`)
  }
}
