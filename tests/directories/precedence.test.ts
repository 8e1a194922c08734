import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Known, resolve } from '#rooms/records/directories/people/decide.ts'
import type { Link, Said, Sources } from '#rooms/records/directories/people/said.ts'
import { fewOrMany } from '../fixture/long.ts'

const attributes = ['department', 'jobTitle'] as const
type Says = { department: string; jobTitle: string; isActive: boolean; site: string }

const nothing: Said = {
  displayName: 'Someone',
  email: '',
  emails: [],
  username: '',
  employeeIds: [],
  department: '',
  jobTitle: '',
  employmentType: '',
  employmentStatus: '',
  manager: '',
  profile: {},
}
const begin: Known = {
  id: 'u',
  displayName: 'Someone',
  email: '',
  emails: [],
  username: '',
  usernames: [],
  employeeIds: [],
  department: 'Local',
  jobTitle: '',
  employmentType: '',
  employmentStatus: '',
  managerIds: [],
  directoryStatus: 'ENABLED',
  profile: {},
}

const linkOf = (at: number, { isActive, site, ...said }: Says, order: Link['order']): Link => ({
  appId: `app${at}`,
  accountId: `account${at}`,
  userId: 'u',
  said: { ...nothing, ...said, profile: site === '' ? {} : { site } },
  managerId: '',
  isActive,
  isSource: false,
  isHeld: false,
  isDeleted: false,
  deactivatedAt: null,
  createdAt: new Date(at),
  order,
})

const value = fc.constantFrom('', 'a', 'b', 'c')
const says = fc.record({ department: value, jobTitle: value, isActive: fc.boolean(), site: value })
const step = fc.oneof(
  fc.record({ does: fc.constant('say' as const), at: fc.nat(2), says }),
  fc.record({ does: fc.constant('leave' as const), at: fc.nat(2) }),
  fc.record({
    does: fc.constant('order' as const),
    order: fc.shuffledSubarray([0, 1, 2], { minLength: 3 }),
    first: fc.nat(2),
  }),
)

test('however directories speak, leave and are put in order, each attribute is what the first of them says', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
      const said = new Map<number, Says>()
      let order = [0, 1, 2]
      let first = 0
      let user = begin
      let sources: Sources = {}
      let now = 0
      for (const each of steps) {
        now += 1
        if (each.does === 'say') said.set(each.at, each.says)
        if (each.does === 'leave') said.delete(each.at)
        if (each.does === 'order') [order, first] = [each.order, each.first]
        const acting = each.does === 'order' ? '' : `app${each.at}`
        const rankOf = (at: number) => ({
          rank: order.indexOf(at),
          ranks: at === first ? { department: 1 } : {},
          since: new Date(at),
        })
        const links = [...said].map(([at, of]) => linkOf(at, of, rankOf(at)))
        // As the caller does: what a directory said that is gone is nobody's.
        const known = Object.fromEntries(
          Object.entries(sources).filter(
            ([, [appId]]) => appId === acting || links.some((link) => link.appId === appId),
          ),
        )
        const {
          after,
          sources: told,
          decider,
          changed,
        } = resolve(user, links, { sources: known, said: [] }, new Date(now))
        const inOrder = (attribute: string): number[] => {
          const all = order.filter((at) => said.has(at))
          return attribute === 'department'
            ? [...all.filter((at) => at === first), ...all.filter((at) => at !== first)]
            : all
        }
        for (const attribute of attributes) {
          const winner = inOrder(attribute).find((at) => said.get(at)?.[attribute] !== '')
          const expected =
            winner !== undefined
              ? said.get(winner)?.[attribute]
              : said.size > 0 && known[attribute]
                ? ''
                : user[attribute]
          expect(after[attribute]).toBe(expected)
          expect(winner === undefined ? null : told[attribute]?.[0]).toBe(winner === undefined ? null : `app${winner}`)
          expect(changed.includes(attribute)).toBe(after[attribute] !== user[attribute])
          // Since when: only what changed, or comes from elsewhere, is new.
          const was = sources[attribute]
          const isKept =
            winner !== undefined &&
            was?.[0] === `app${winner}` &&
            after[attribute] === user[attribute] &&
            known[attribute] !== undefined
          expect(isKept ? told[attribute] : null).toEqual(isKept ? was : null)
        }
        const decides = inOrder('status')[0]
        expect(decider?.appId ?? null).toBe(decides === undefined ? null : `app${decides}`)
        const unsaid = said.size === 0 && known['status'] ? 'DELETED' : user.directoryStatus
        const decided = said.get(decides ?? -1)?.isActive ? 'ENABLED' : 'DISABLED'
        expect(after.directoryStatus).toBe(decides === undefined ? unsaid : decided)
        // Asked again, nothing changes; and the order of what was found does not matter.
        const again = resolve(after, links.toReversed(), { sources: told, said: [] }, new Date(now + 1))
        expect([again.after, again.sources, again.changed]).toEqual([after, told, []])
        user = after
        sources = told
      }
    }),
    { numRuns: fewOrMany(200, 20_000) },
  )
})
