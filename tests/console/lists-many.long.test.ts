import { beforeAll, expect, test } from 'vitest'
import { insertPasskey } from '#rooms/identity/sessions/passkeys/store.ts'
import type { KeptSession } from '#rooms/identity/sessions/session.ts'
import { lastSeenMac, sessionMac } from '#rooms/identity/sessions/store.ts'
import { checkPage, inBrowser, settled } from '../fixture/browser.ts'
import { fewOrMany, isLong } from '../fixture/long.ts'
import { fill } from './filling.ts'
import { focusedName, isWalked, walkPages } from './paging.ts'
import { prepareRules } from './rules-scene.ts'

const many = fewOrMany(2000, 100_000)
const written = (n: number): string => n.toLocaleString('en')
/** As many as one user may have. */
const [credentialsMax, passkeysMax] = [1000, 20]

/*
 * With records-many, which has the lists of governed records, all that page. Few by nature: a user's own credentials
 * (1000) and passkeys (20), which are tested full; roles and what an import did, which are as many as there are kinds.
 */
inBrowser('settings, log, imports, rules and owners, with as many rows as it takes', () => {
  const scene = prepareRules()
  const id = (kind: string, n: number): string => `${kind}${String(n).padStart(27 - kind.length, '0')}`
  const [townId, depotId] = [id('0town', 0), id('0depot', 0)]
  const citizen = { appId: townId, id: id('0citizen', 0) }
  /** Everyone is excluded from its rule, which has run as often. */
  const left = { appId: townId, id: id('0left', 0) }
  /** Every other one is excluded from its rule. */
  const half = { appId: townId, id: id('0half', 0) }
  /** Everyone holds it by a rule. */
  const held = { appId: townId, id: id('0held', 0) }
  const userId = id('0user', 1)

  async function fillAll(): Promise<void> {
    const { db } = scene.server
    const tenant = scene.access.tenant.id
    const key = (kind: string) => db`${kind}::text || lpad(n::text, ${27 - kind.length}::int, '0')`
    const all = db`generate_series(1, ${many}::int) n`
    // With the MACs that only the program can make: others are not listed.
    const { seals } = scene.access.world
    const at = new Date()
    const later = new Date(at.getTime() + 86_400_000)
    const sessionNumbered = (n: number): KeptSession => ({
      id: id('0session', n),
      userId: scene.owner.userId,
      method: 'link',
      sourceAddress: `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`,
      userAgent: 'Firefox/140.0',
      createdAt: at,
      lastSeenAt: at,
      expiresAt: later,
      idleSeconds: 43_200,
      freshSeconds: 900,
      generation: 1,
      branch: 1,
      rotatedAt: at,
      previousBranch: 0,
      previousUntil: null,
      offers: 0,
      offeredAt: null,
      endedAt: null,
      endedWhy: null,
    })
    const tables = [
      'users',
      'entitlements',
      'accounts',
      'grants',
      'automation_exclusions',
      'automation_runs',
      'imports',
    ]
    await fill(db, [...tables, 'systemlog_events', 'credentials', 'sessions', 'owners'], async (tx) => {
      await tx`
        insert into users (tenant_id, user_id, display_name, email, department, created_at, updated_at)
        select ${tenant}::int, ${key('0user')}, 'Citizen ' || n, 'c' || n || '@example.com', 'Town', now(), now()
        from ${all}`
      await tx`
        insert into apps (tenant_id, app_id, display_name, created_at, updated_at)
        select ${tenant}::int, ${key('0app')}, 'App ' || n, now(), now() from ${all}
        union all select ${tenant}::int, a.id, a.name, now(), now()
        from (values (${townId}::text, 'Town'), (${depotId}::text, 'Depot')) as a (id, name)`
      await tx`
        insert into entitlements (tenant_id, app_id, entitlement_id, display_name, created_at, updated_at)
        select ${tenant}::int, ${townId}::text, e.id, e.name, now(), now() from (values
          (${citizen.id}::text, 'Citizen'), (${left.id}::text, 'Left alone'), (${held.id}::text, 'Held'),
          (${half.id}::text, 'Half')) as e (id, name)`
      await tx`
        insert into accounts (tenant_id, app_id, account_id, user_id, display_name, username, created_at, updated_at)
        select ${tenant}::int, ${townId}::text, ${key('0town')}, ${key('0user')}, 'Citizen ' || n, 'c' || n, now(), now()
        from ${all}
        union all
        select ${tenant}::int, ${depotId}::text, ${key('0depot')}, ${userId}::text, 'Locker ' || n, 'locker' || n, now(),
          now() from ${all}`
      await tx`
        insert into grants (tenant_id, app_id, entitlement_id, account_id, grant_id, source, granted_at, began_at)
        select ${tenant}::int, ${townId}::text, ${held.id}::text, ${key('0town')}, ${key('0grant')}, 'rule', now(), now()
        from ${all}`
      await tx`
        insert into automation_exclusions (tenant_id, app_id, entitlement_id, user_id, added_at)
        select ${tenant}::int, ${townId}::text, ${left.id}::text, ${key('0user')}, now() from ${all}
        union all
        select ${tenant}::int, ${townId}::text, ${half.id}::text, ${key('0user')}, now() from ${all} where n % 2 = 1`
      await tx`
        insert into automation_runs (tenant_id, run_id, app_id, entitlement_id, version, cause, phase, status, matched,
          gained, lost, failed, error, started_at, stepped_at, finished_at)
        select ${tenant}::int, ${key('0run')}, ${townId}::text, ${left.id}::text, 1,
          case when n % 5 = 0 then 'schedule' else 'change' end, 'over', case when n % 23 = 0 then 'failed' else 'done' end,
          1000 + n, case when n = ${many}::int - 5 then 4000 when n % 23 = 0 then 0 else n * 7 % 40 end,
          case when n % 23 = 0 then 0 else n * 5 % 13 end, 0,
          case when n % 23 = 0 then 'The database went away.' else '' end,
          now() - (${many}::int - n) * interval '1 hour', now(), now() - (${many}::int - n) * interval '1 hour'
        from ${all}`
      await tx`
        insert into imports (tenant_id, import_id, format, is_full, is_forced, user_name, line_count, byte_count, counts,
          started_at, finished_at)
        select ${tenant}::int, ${key('0import')}, case when n % 3 = 0 then 'jsonl' else 'csv' end, n % 2 = 0, false,
          'Ida Import', n, n * 80, jsonb_build_array(jsonb_build_object(
            'kind', 'user', 'added', n, 'changed', n % 9, 'unchanged', 0, 'removed', n % 4)),
          now() - (${many}::int - n) * interval '1 hour', now() - (${many}::int - n) * interval '1 hour' from ${all}`
      await tx`
        insert into systemlog_events (tenant_id, event_id, occurred_at, event, mac, seal_number, seal_position)
        select ${tenant}::int, ${key('0event')}, now() - interval '1 day', jsonb_build_object(
          'metadata', jsonb_build_object('uid', ${key('0event')}), 'message', 'Event ' || n, 'status_id', 1,
          'time', 1700000000000 + n * 1000)::text, '', 1, 100000 + n from ${all}`
      await tx`
        insert into credentials (tenant_id, credential_id, user_id, client_id, display_name, public_key, secret_sha256,
          created_at, updated_at)
        select ${tenant}::int, ${key('0key')}, case when n <= ${credentialsMax}::int then ${scene.owner.userId}::text
          else ${key('0user')} end, 'client-' || n || '@town.example/pcc', 'Credential ' || n, '', '', now(), now()
        from ${all}`
      for (let n = 1; n <= passkeysMax; n++)
        await insertPasskey(tx, seals, tenant, {
          id: id('0passkey', n),
          userId: scene.owner.userId,
          displayName: `Passkey ${n}`,
          credentialId: `c${n}`,
          publicKey: Buffer.alloc(0),
          signCount: 0,
          transports: [],
          isBackedUp: false,
          createdAt: at,
          lastUsedAt: null,
        })
      const sessions = Array.from({ length: many }, (_, i) => sessionNumbered(i + 1))
      await tx`
        insert into sessions (tenant_id, session_id, user_id, method, source_address, user_agent, created_at,
          expires_at, idle_seconds, fresh_seconds, generation, branch, rotated_at, previous_branch, offers, mac,
          last_seen_at, last_seen_mac)
        select ${tenant}::int, id, ${scene.owner.userId}::text, 'link', address, 'Firefox/140.0', ${at}::timestamptz,
          ${later}::timestamptz, 43200, 900, 1, 1, ${at}::timestamptz, 0, 0, decode(mac, 'hex'), ${at}::timestamptz,
          decode(seen, 'hex')
        from unnest(${sessions.map((each) => each.id)}::text[], ${sessions.map((each) => each.sourceAddress)}::text[],
          ${sessions.map((each) => sessionMac(seals, tenant, each).toString('hex'))}::text[],
          ${sessions.map((each) => lastSeenMac(seals, tenant, each.id, at).toString('hex'))}::text[]
        ) as s (id, address, mac, seen)`
      await tx`
        insert into owners (tenant_id, kind, app_id, object_id, role_slug, owner_id, user_id, began_at)
        select ${tenant}::int, 'app', ${townId}::text, ${townId}::text, 'audience', ${key('0owner')}, ${key('0user')}, now()
        from ${all}
        union all
        select ${tenant}::int, 'app', ${townId}::text, ${townId}::text, 'zeta', ${key('0zeta')}, ${key('0user')}, now()
        from generate_series(1, 3) n
        union all
        select ${tenant}::int, 'app', ${key('0app')}, ${key('0app')}, 'primary', ${key('0owns')}, ${userId}::text,
          now() from ${all}`
    })
  }

  beforeAll(fillAll)

  /** Of many runs the last fifty, those that failed or were held marked. */
  const chart = /^Last 50 runs: [\d,]+ added, [\d,]+ removed, 2 failed or held/
  const entitlement = `/apps/${townId}/entitlements/${left.id}`
  const lists = [
    ['a user’s own credentials', '/settings/credentials', ''],
    ['everyone’s credentials', '/settings/everyone', ''],
    ['sessions', '/settings/sessions', ''],
    // The oldest first: the server writes events meanwhile, such as that none of these can be verified.
    ['the system log', '/log?order=oldest', ''],
    ['imports', '/imports', 'imports-many'],
    ['exclusions', `${entitlement}/exclusions`, ''],
    ['runs', `${entitlement}/runs`, 'rules-runs-many'],
    ['owners', `/apps/${townId}/owners`, 'owners-many'],
    ['accounts of a user', `/users/${userId}/accounts`, ''],
    ['what a user owns', `/users/${userId}/owned`, ''],
  ] as const
  test.for(lists.filter(isWalked))(
    '%s: paged forth and back, and the address holds where one is',
    async ([, path, name]) => {
      await scene.go(path)
      await walkPages(scene.owner.page, { loadsAgain: isLong || path === '/settings/credentials' })
      if (name === 'rules-runs-many') await scene.owner.page.getByRole('img', { name: chart }).waitFor()
      if (name) await checkPage(scene.owner, name)
    },
  )

  test('a user with the maximum number of credentials or passkeys sees that, and no further pages', async () => {
    const { page } = scene.owner
    const dialog = page.getByRole('dialog')
    const add = async (verb: string, confirm: string, refusal: string): Promise<void> => {
      await page.getByRole('button', { name: verb }).click()
      await dialog.getByLabel('Name').fill('one too many')
      await dialog.getByRole('button', { name: confirm }).click()
      await dialog.getByText(refusal).waitFor()
    }
    await scene.go('/settings/credentials?size=100')
    await add('Create credential', 'Create credential', 'A user has at most 1000 credentials; delete some.')
    await scene.go('/settings/passkeys')
    expect(await page.getByRole('rowheader').count()).toBe(passkeysMax)
    expect(await page.getByRole('button', { name: 'Next' }).count()).toBe(0)
    await add('Add a passkey', 'Continue', 'A user has at most 20 passkeys; delete one.')
  })

  test('of many owners those in one role are found by its name; removed, the focus goes on to the next', async () => {
    const { page } = scene.owner
    await scene.go(`/apps/${townId}/owners`)
    await page.getByRole('searchbox', { name: 'Role (full name)' }).fill('zeta')
    await page.waitForURL(/q=zeta/)
    await settled(page)
    expect(await scene.named()).toEqual(['Citizen 1', 'Citizen 2', 'Citizen 3'])
    await page.getByRole('button', { name: 'Remove Citizen 2' }).press('Enter')
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).press('Enter')
    await expect.poll(scene.named).toEqual(['Citizen 1', 'Citizen 3'])
    await expect.poll(() => focusedName(page)).toBe('Citizen 3')
    await scene.staff('Hall', 'Nadia Neu')
    await page.getByRole('button', { name: 'Add owner' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'Role' }).fill('zeta')
    await scene.pick(dialog.getByRole('combobox', { name: 'User' }), 'Nadia Neu')
    await dialog.getByRole('button', { name: 'Add owner' }).click()
    await expect.poll(scene.named).toEqual(['Citizen 1', 'Citizen 3', 'Nadia Neu'])
    await page.getByRole('combobox', { name: 'Show' }).selectOption({ label: 'Members of entitlements' })
    await page.getByText('No results').waitFor()
  })

  test.for([
    ['Added', citizen, 'Town'],
    ['Removed', held, 'Nowhere'],
    ['Unchanged', held, 'Town'],
    ['Excluded', left, 'Town'],
  ] as const)(
    'a plan by which all of them %s is counted at once and shown a page at a time',
    async ([group, of, town]) => {
      const { page } = scene.owner
      await scene.open(of, 'automation')
      await page.getByRole('button', { name: 'Create rule' }).click()
      await page.getByRole('textbox', { name: 'Expression' }).fill(`subject.department == "${town}"`)
      await expect.poll(scene.counts).toContain(`${written(many)} ${group}`)
      await page.getByRole('radio', { name: group }).check({ force: true })
      await expect.poll(scene.named).toContain('Citizen 10')
      const first = await scene.named()
      expect(first).toHaveLength(10)
      const pages = page.getByRole('navigation', { name: 'Pages of the plan' })
      await pages.getByRole('button', { name: 'Next' }).click()
      await expect.poll(scene.named).toContain('Citizen 20')
      await pages.getByRole('button', { name: 'Previous' }).click()
      await expect.poll(scene.named).toEqual(first)
      if (group === 'Added') await checkPage(scene.owner, 'rules-plan-many')
    },
  )

  test('a plan by which half of them gain it, while the others are left alone, tells both', async () => {
    const { page } = scene.owner
    await scene.open(half, 'automation')
    await page.getByRole('button', { name: 'Create rule' }).click()
    await page.getByRole('textbox', { name: 'Expression' }).fill('subject.department == "Town"')
    await expect
      .poll(scene.counts)
      .toEqual([`${written(many / 2)} Added`, '0 Removed', '0 Unchanged', `${written(many / 2)} Excluded`])
    await expect.poll(scene.named).toContain('Citizen 2')
    await page.getByRole('radio', { name: /Excluded/ }).check({ force: true })
    await expect.poll(scene.named).toContain('Citizen 1')
  })
})
