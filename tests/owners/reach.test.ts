import { beforeAll, describe, expect, test } from 'vitest'
import { getToken, type Json, outcomeOf } from '../fixture/access.ts'
import { bodyOf, type Caller, prepare, type Ref } from './support.ts'

/** What someone gives as an owner gives no more than they may give themselves (decision 0039). */
const scene = prepare()
const refused = '403/7 GRANT_BEYOND_REACH'

const caller = async (): Promise<Caller> => {
  const key = await scene.access.makeCaller(['system:application-admin', 'system:user'])
  return { userId: key.userId, token: await getToken(scene.server, key) }
}
const at = ({ appId, id }: Ref): string => `/api/v1/apps/${appId}/entitlements/${id}`
const owned = ({ appId, id }: Ref): string => `apps/${appId}/entitlements/${id}`
const outcome = async (by: Caller, method: string, path: string, body: object | null = null): Promise<string> =>
  outcomeOf(await scene.send(method, path, body, by))
const rule = (definition: Json): Json => ({ automation: definition })
const everyone = { cel: { expression: 'subject.department == "Nowhere"' } }

let by: Caller
let friend: string
beforeAll(async () => {
  by = await caller()
  friend = await scene.user()
})

/** An entitlement that the caller owns, and that is the owner of its app. */
async function powerful(): Promise<Ref> {
  const entitlement = await scene.entitlement(await scene.app())
  await scene.set(owned(entitlement), 'primary', { users: [by.userId] })
  await scene.set(`apps/${entitlement.appId}`, 'primary', { entitlements: [entitlement] })
  return entitlement
}

/** All the ways in which an owner of an entitlement can come to give it. */
const ways: Record<string, (ref: Ref) => Promise<string>> = {
  'by a rule': (ref) => outcome(by, 'POST', `${at(ref)}/automation/create`, rule(everyone)),
  'by hand to oneself': (ref) => outcome(by, 'POST', `${at(ref)}/add-manual-user`, { userIds: [by.userId] }),
  'by hand to a friend': (ref) => outcome(by, 'POST', `${at(ref)}/add-manual-user`, { userIds: [friend] }),
  'by a plan': async (ref) => {
    const plan = await scene.send('POST', `${at(ref)}/automation/plan`, rule(everyone), by)
    const { fingerprint } = plan.json
    return outcome(by, 'POST', `${at(ref)}/automation/apply`, { fingerprint, ...rule(everyone) })
  },
  'by another rule than it has': async (ref) => {
    await scene.send('POST', `${at(ref)}/automation/create`, rule(everyone))
    return outcome(by, 'POST', `${at(ref)}/automation/update`, { cel: { expression: 'true' }, updateMask: 'cel' })
  },
  'by a run': async (ref) => {
    await scene.send('POST', `${at(ref)}/automation/create`, rule(everyone))
    return outcome(by, 'POST', `${at(ref)}/automation/runs`, {})
  },
  'by excluding someone no longer': (ref) =>
    outcome(by, 'DELETE', `${at(ref)}/automation/exclusions`, { userIds: [friend] }),
  'for longer': async (ref) => {
    const account = await scene.account(ref.appId, { userId: friend })
    await scene.grant(ref, account, { expiresAt: new Date(Date.now() + 60_000) })
    return outcome(by, 'POST', `${at(ref)}/users/${account.id}/remove-grant-duration`, {})
  },
  'by a binding': async (ref) => {
    const source = await scene.entitlement(ref.appId)
    await scene.set(owned(source), 'primary', { users: [by.userId] })
    return outcome(by, 'POST', `/api/v1/apps/${ref.appId}/${source.id}/bindings/${ref.appId}/${ref.id}`, {})
  },
}

describe('an entitlement whose holders own its app is not given by who owns only the entitlement', () => {
  test.each(Object.keys(ways))('%s', async (way) => {
    expect(await ways[way]?.(await powerful())).toBe(refused)
  })

  test('and the error names it, if they can see it', async () => {
    const entitlement = await powerful()
    const reply = await scene.send('POST', `${at(entitlement)}/add-manual-user`, { userIds: [friend] }, by)
    expect(reply.json['message']).toBe(
      `Everyone with the entitlement ${entitlement.id} owns the app ${entitlement.appId}, which you do not have permission to grant; ask an administrator.`,
    )
    const elsewhere = await scene.app('Secret')
    const other = await scene.entitlement(await scene.app())
    await scene.set(owned(other), 'primary', { users: [by.userId] })
    await scene.set(`apps/${elsewhere}`, 'primary', { entitlements: [other] })
    const told = await scene.send('POST', `${at(other)}/add-manual-user`, { userIds: [friend] }, by)
    expect(outcomeOf(told)).toBe(refused)
    expect(told.text).not.toContain(elsewhere)
  })
})

describe('nor is one that leads to such an entitlement', () => {
  const fedBy = async (how: (source: Ref, target: Ref) => Promise<unknown>): Promise<string[]> => {
    const target = await scene.entitlement(await scene.app())
    await scene.set(`apps/${target.appId}`, 'primary', { entitlements: [target] })
    const source = await scene.entitlement(await scene.app())
    await scene.set(owned(source), 'primary', { users: [by.userId] })
    const before = await ways['by hand to oneself']?.(source)
    await how(source, target)
    return [before ?? '', (await ways['by hand to oneself']?.(source)) ?? '', (await ways['by a rule']?.(source)) ?? '']
  }
  const led = ['200', refused, refused]

  test('because the rule of that reads it', async () => {
    expect(
      await fedBy((source, target) =>
        scene.send('POST', `${at(target)}/automation/create`, rule({ entitlements: { entitlementRefs: [source] } })),
      ),
    ).toEqual(led)
  })

  test('because an expression does', async () => {
    const expression = (of: Ref): string => `c1.user.v1.HasEntitlement(subject, "${of.appId}", "${of.id}")`
    expect(
      await fedBy((source, target) =>
        scene.send('POST', `${at(target)}/automation/create`, rule({ cel: { expression: expression(source) } })),
      ),
    ).toEqual(led)
  })

  test('because one in between does', async () => {
    expect(
      await fedBy(async (source, target) => {
        const between = await scene.entitlement(await scene.app())
        await scene.send(
          'POST',
          `${at(target)}/automation/create`,
          rule({ entitlements: { entitlementRefs: [between] } }),
        )
        await scene.send(
          'POST',
          `${at(between)}/automation/create`,
          rule({ entitlements: { entitlementRefs: [source] } }),
        )
      }),
    ).toEqual(led)
  })

  test('however much else it leads to that is their own', async () => {
    expect(
      await fedBy(async (source, target) => {
        await scene.set(owned(target), 'primary', { entitlements: [source] })
        // By hand: a thousand requests would do the same.
        await scene.server.db`
          insert into entitlements select (jsonb_populate_record(e, jsonb_build_object(
            'entitlement_id', lpad(i::text, 27, '0'), 'slug', '', 'external_id', null))).*
          from entitlements e, generate_series(1, 1100) i where e.entitlement_id = ${source.id}`
        await scene.server.db`
          insert into entitlement_proxies (tenant_id, src_app_id, src_entitlement_id, dst_app_id, dst_entitlement_id,
            created_at, updated_at)
          select tenant_id, app_id, ${source.id}, app_id, entitlement_id, now(), now() from entitlements
          where app_id = ${source.appId} and entitlement_id <> ${source.id}`
        await scene.set(`apps/${source.appId}`, 'primary', { users: [by.userId] })
      }),
    ).toEqual(led)
  })

  test('because holders of it own that entitlement', async () => {
    expect(await fedBy((source, target) => scene.set(owned(target), 'primary', { entitlements: [source] }))).toEqual(
      led,
    )
  })
})

test('what may be given otherwise may be given so: the owner of the app, whose entitlement makes owners of another in it', async () => {
  const appId = await scene.app()
  const [giving, given] = [await scene.entitlement(appId), await scene.entitlement(appId)]
  await scene.set(`apps/${appId}`, 'primary', { users: [by.userId] })
  await scene.set(owned(given), 'primary', { entitlements: [giving] })
  expect(await ways['by hand to a friend']?.(giving)).toBe('200')
  expect(await ways['by a rule']?.(giving)).toBe('200')
  // Who owns the app chooses no owners of the app, neither by name nor so.
  await scene.set(`apps/${appId}`, 'second', { entitlements: [giving] })
  expect(await ways['by hand to a friend']?.(giving)).toBe(refused)
})

test('an administrator gives it, and nobody is kept from taking it', async () => {
  const entitlement = await powerful()
  const give = { userIds: [friend] }
  expect(outcomeOf(await scene.send('POST', `${at(entitlement)}/add-manual-user`, give))).toBe('200')
  expect(await outcome(by, 'POST', `${at(entitlement)}/automation/exclusions`, give)).toBe('200')
  const { list } = (await scene.send('GET', `${at(entitlement)}/users`, null, by)).json as { list: Json[] }
  const appUserId = list[0]?.['appUserId']
  expect(await outcome(by, 'DELETE', `${at(entitlement)}/remove-membership`, { appUserId })).toBe('200')
})

test('adding an entitlement that is not theirs as an owner is refused as not found', async () => {
  const app = await scene.app()
  const mine = await scene.entitlement(app)
  await scene.set(`apps/${app}`, 'primary', { users: [by.userId] })
  const theirs = await scene.entitlement(await scene.app())
  const none = { appId: theirs.appId, id: '2zzzzzzzzzzzzzzzzzzzzzzzzzz' }
  const set = (ref: Ref) =>
    scene.send('PUT', `/api/v2/${owned(mine)}/owners`, bodyOf('primary', { entitlements: [ref] }), by)
  const [there, not] = [await set(theirs), await set(none)]
  expect(outcomeOf(there)).toBe('404/5 ENTITLEMENT_NOT_FOUND')
  expect(there.text.replaceAll(theirs.id, none.id)).toBe(not.text)
})
