import type { Locator } from 'playwright-core'
import { expect } from 'vitest'
import { transact } from '#kernel/sql.ts'
import { insertUsers } from '#rooms/identity/users/index.ts'
import { cel, pathOf, settle } from '../automation/scene.ts'
import { settled } from '../fixture/browser.ts'
import type { Ref } from '../grants/scene.ts'
import { type ConsoleScene, prepareConsole } from './records-scene.ts'

export type RulesScene = ConsoleScene & {
  /** Where an entitlement's pages are. */
  addressOf(ref: Ref): string
  /** Opens a tab of an entitlement. */
  open(ref: Ref, tab: 'automation' | 'exclusions' | 'history' | 'runs' | 'versions' | ''): Promise<void>
  /** Saves a rule by the API, and waits until it has run. */
  rule(ref: Ref, expression: string): Promise<void>
  settleRules(): Promise<void>
  /** Users of a department, in order of their names. */
  staff(department: string, ...names: string[]): Promise<string[]>
  /** Who holds it now, by name. */
  holders(ref: Ref): Promise<string[]>
  /** How many the plan on the page has in each group, once it is there. */
  counts(): Promise<string[]>
  /** Picks something in a field that searches. */
  pick(field: Locator, name: string): Promise<void>
}

/** The scene of the console, with what the tests of rules do all the time. */
export function prepareRules(): RulesScene {
  const scene = prepareConsole() as RulesScene
  return Object.assign(scene, {
    addressOf: ({ appId, id }) => `/apps/${appId}/entitlements/${id}`,
    open: (ref, tab) => scene.go(`${scene.addressOf(ref)}/${tab}`),
    settleRules: () => settle(scene.access.world),
    async rule(ref, expression) {
      const { status } = await scene.get(`${pathOf(ref)}/automation`)
      const automation = cel(expression)
      const saved =
        status === 404
          ? await scene.post(`${pathOf(ref)}/automation/create`, { automation })
          : await scene.post(`${pathOf(ref)}/automation/update`, automation)
      expect(saved.status, saved.text).toBe(200)
      await scene.settleRules()
    },
    async staff(department, ...names) {
      const { world, tenant } = scene.access
      const made = names.map((displayName) => {
        const id = world.newId()
        return { id, displayName, department, email: `${id.toLowerCase()}@example.com` }
      })
      await transact(world.db, (tx) => insertUsers(tx, tenant.id, made, world.now()))
      return made.map(({ id }) => id)
    },
    async holders({ id }) {
      const rows = await scene.server.db<{ name: string }[]>`
        select distinct u.display_name as name from grants g
        join accounts a on a.tenant_id = g.tenant_id and a.app_id = g.app_id and a.account_id = g.account_id
        join users u on u.tenant_id = a.tenant_id and u.user_id = a.user_id
        where g.entitlement_id = ${id} and g.ended_at is null order by 1`
      return rows.map(({ name }) => name)
    },
    async counts() {
      const groups = scene.owner.page.getByRole('group', { name: 'People to show' })
      await scene.owner.page.locator('fieldset[aria-busy=false]').waitFor()
      return groups
        .locator('label')
        .allInnerTexts()
        .then((texts) => texts.map((text) => text.replaceAll(/\s+/g, ' ')))
    },
    async pick(field, name) {
      await field.fill(name)
      await scene.owner.page.getByRole('option', { name }).first().click()
      await settled(scene.owner.page)
    },
  } satisfies Partial<RulesScene>)
}
