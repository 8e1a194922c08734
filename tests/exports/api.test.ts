import { expect, test } from 'vitest'
import { ask, fieldsOf, getToken, outcomeOf } from '../fixture/access.ts'
import { base, type Exporter, openExports } from './scene.ts'

const scene = openExports()
const search = '/api/v1/search/systemlog/exports'

test('an export is created, read, listed, found, changed and deleted', async () => {
  const made = await scene.ask(base, {
    displayName: 'To the archive',
    datasource: { datasourceId: 'archive', prefix: 'logs', format: 'EXPORT_FORMAT_OCSF_JSON_ZSTD' },
  })
  expect(made.status, made.text).toBe(200)
  const { exportId, ...exporter } = made.json['exporter'] as Exporter
  expect(exporter).toMatchObject({
    displayName: 'To the archive',
    datasource: { datasourceId: 'archive', prefix: 'logs', format: 'EXPORT_FORMAT_OCSF_JSON_ZSTD' },
    state: 'EXPORT_STATE_WAITING',
    watermarkEventId: '',
    deletedAt: null,
  })
  await scene.run(exportId)
  const read = (await scene.ask(`${base}/${exportId}`)).json['exporter'] as Exporter
  expect(read.watermarkEventId).toMatch(/^[0-9A-Za-z]{27}$/)
  const listed = async (path: string, body?: object): Promise<string[]> =>
    ((await scene.ask(path, body)).json['list'] as Exporter[]).map((each) => each.exportId)
  expect(await listed(base)).toContain(exportId)
  expect(await listed(search, { query: 'ARCH' })).toContain(exportId)
  expect(await listed(search, { query: 'nothing' })).toEqual([])
  expect(await listed(search, { displayName: 'To the archive' })).toContain(exportId)
  expect(await listed(search, { refs: [{ exportId }] })).toEqual([exportId])
  expect(await listed(search, { refs: [{ exportId: 'another' }] })).toEqual([])

  const changed = await scene.ask(`${base}/${exportId}`, {
    exporter: { displayName: 'Renamed', datasource: { datasourceId: 'ignored' } },
    updateMask: 'display_name',
  })
  expect(changed.json['exporter']).toMatchObject({ displayName: 'Renamed', datasource: { prefix: 'logs' } })
  const format = await scene.ask(`${base}/${exportId}`, {
    exporter: { datasource: { format: 'EXPORT_FORMAT_OCSF_JSON_GZIP' } },
    updateMask: 'datasource.format',
  })
  expect(format.json['exporter']).toMatchObject({
    datasource: { datasourceId: 'archive', prefix: 'logs', format: 'EXPORT_FORMAT_OCSF_JSON_GZIP' },
  })
  // Without a mask, what was sent is changed.
  const whole = await scene.ask(`${base}/${exportId}`, {
    exporter: { ...read, displayName: 'Again', datasource: { datasourceId: 'storage', prefix: '' } },
  })
  expect(whole.json['exporter']).toMatchObject({
    displayName: 'Again',
    watermarkEventId: read.watermarkEventId,
    datasource: { datasourceId: 'storage', prefix: '', format: 'EXPORT_FORMAT_OCSF_JSON_GZIP' },
  })
  expect((await scene.ask(`${base}/${exportId}`, {}, 'DELETE')).text).toBe('{}')
  expect(outcomeOf(await scene.ask(`${base}/${exportId}`))).toBe('404/5 EXPORT_NOT_FOUND')
  expect(outcomeOf(await scene.ask(`${base}/${exportId}`, {}, 'DELETE'))).toBe('404/5 EXPORT_NOT_FOUND')
  expect(await listed(base)).not.toContain(exportId)
  const rows = await scene.server.db<{ message: string; severity: string }[]>`
    select event::jsonb ->> 'message' as message, event::jsonb ->> 'severity' as severity from systemlog_events
    where event::jsonb #>> '{resources,0,uid}' = ${exportId} order by event_id`
  expect(rows.map(({ message, severity }) => `${severity}: ${message}`)).toEqual([
    'High: Created the export To the archive of the system log to archive',
    'High: Changed the export Renamed of the system log',
    'High: Changed the export Renamed of the system log',
    'High: Changed the export Again of the system log',
    'High: Deleted the export Again of the system log to storage',
  ])
})

test.each([
  ['../other', 'must consist of'],
  ['a/../../b', 'must consist of'],
  ['/root', 'must not start with a slash'],
  ['a//b', 'must consist of'],
  ['.', 'must consist of'],
  ['a\\b', 'must consist of'],
  ['a\u0000b', ''],
  ['x'.repeat(201), 'at most 200'],
])('a prefix that leads elsewhere is refused: %j', async (prefix, says) => {
  const reply = await scene.ask(base, { displayName: 'x', datasource: { datasourceId: 'archive', prefix } })
  expect(reply.status).toBe(400)
  expect(fieldsOf(reply)).toEqual(['datasource.prefix'])
  expect(reply.text).toContain(says)
})

test('a datasource that is not known is refused, with the names of those that the tenant may use', async () => {
  const wanted = (datasourceId: string) => ({ displayName: 'x', datasource: { datasourceId } })
  for (const id of ['nowhere', 'of-others', '']) {
    const reply = await scene.ask(base, wanted(id))
    expect(fieldsOf(reply)).toEqual(['datasource.datasourceId'])
    expect(reply.text).toContain('there are: archive, absent, storage, collector, splunk, otlp')
    expect(reply.text).not.toContain('of-others')
  }
  const named = await scene.ask('/api/v1/systemlog/datasources')
  expect((named.json['list'] as { id: string }[]).map(({ id }) => id)).not.toContain('of-others')
  expect(named.text).not.toContain('token')
  expect(named.text).not.toContain(scene.folder)
  expect(fieldsOf(await scene.ask(base, { displayName: 'x' }))).toEqual(['datasource'])
  expect(fieldsOf(await scene.ask(base, { displayName: ' ', datasource: { datasourceId: 'archive' } }))).toEqual([
    'displayName',
  ])
  // Who may create exports and not see them is not told the names.
  const roleName = 'exports-writer'
  await scene.access.makeRole(roleName, ['exports.write'])
  const userId = await scene.access.makeUser({ roles: [roleName as never] })
  const token = await getToken(scene.server, await scene.access.makeKey(userId))
  const untold = await ask(scene.server, base, { token, body: wanted('nowhere') })
  expect(untold.status, untold.text).toBe(400)
  expect(untold.text).not.toContain('archive')
})

test('who may read exports may not change them, and a user may do neither', async () => {
  const id = await scene.create('archive')
  const as = async (role: 'system:viewer' | 'system:user') =>
    getToken(scene.server, await scene.access.makeCaller([role]))
  const viewer = await as('system:viewer')
  const user = await as('system:user')
  const body = { displayName: 'x', datasource: { datasourceId: 'archive' } }
  for (const token of [viewer, user]) {
    expect((await ask(scene.server, base, { token, body })).status).toBe(403)
    expect((await ask(scene.server, `${base}/${id}`, { token, body: { exporter: { displayName: 'y' } } })).status).toBe(
      403,
    )
    expect((await ask(scene.server, `${base}/${id}`, { token, method: 'DELETE', body: {} })).status).toBe(403)
    expect((await ask(scene.server, `${base}/${id}/run`, { token, body: {} })).status).toBe(403)
  }
  for (const path of [
    base,
    `${base}/${id}`,
    `${base}/${id}/files`,
    `${base}/${id}/status`,
    '/api/v1/systemlog/datasources',
  ]) {
    expect((await ask(scene.server, path, { token: viewer })).status, path).toBe(200)
    expect((await ask(scene.server, path, { token: user })).status, path).toBe(403)
  }
  expect((await ask(scene.server, `${base}/${id}/events`, { token: user, body: {} })).status).toBe(403)
  await scene.remove(id)
})

test('the events of an export are those of the log, page by page', async () => {
  await scene.act(30)
  const id = await scene.create('archive')
  const first = await scene.ask(`${base}/${id}/events`, { pageSize: 10 })
  const all = await scene.ask('/api/v1/systemlog/events', { pageSize: 20, sortDirection: 'SORT_DIRECTION_ASC' })
  const next = await scene.ask(`${base}/${id}/events`, { pageSize: 10, pageToken: first.json['nextPageToken'] })
  expect([...(first.json['list'] as unknown[]), ...(next.json['list'] as unknown[])]).toEqual(all.json['list'])
  await scene.remove(id)
})

test('a tenant has at most 20 exports, also when they are created at once', async () => {
  const replies = await Promise.all(
    Array.from({ length: 25 }, (_, i) =>
      scene.ask(base, { displayName: `Many ${i}`, datasource: { datasourceId: 'absent' } }),
    ),
  )
  const ids = replies.flatMap(({ status, json }) => (status === 200 ? [(json['exporter'] as Exporter).exportId] : []))
  const [row] = await scene.server.db<{ count: number }[]>`
    select count(*) as count from systemlog_exports where deleted_at is null and tenant_id = ${scene.access.tenant.id}`
  expect(row?.count).toBeLessThanOrEqual(20)
  expect(outcomeOf(await scene.ask(base, { displayName: 'x', datasource: { datasourceId: 'absent' } }))).toBe(
    '400/9 EXPORTS_TOO_MANY',
  )
  for (const id of ids) await scene.remove(id)
})
