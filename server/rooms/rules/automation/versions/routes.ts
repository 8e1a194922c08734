import { route } from '#authority/route.ts'
import { seesEveryone } from '#authority/sight/index.ts'
import { nextPageToken } from '#kernel/pages.ts'
import { Refusal } from '#kernel/refusals.ts'

import { described, flag, int32, list, listOf, message, nested, text } from '#kernel/wire.ts'
import { findUsers, UserMessage } from '#rooms/identity/users/index.ts'
import { inTurn } from '../matching/asking.ts'
import { refuseUnknownEntitlement } from '../rule/actions.ts'
import { boundCounts } from '../seen.ts'
import { ofRule, refOf, ruleAt, VersionMessage, viewVersion } from '../view.ts'
import { getVersion } from './actions.ts'
import { countMatches, listDifferences, pairOf } from './compare.ts'
import { differencesOf } from './decide.ts'
import { listVersions } from './store.ts'

const at = `${ruleAt}/versions` as const
const one = `${at}/{version}` as const
// A text that is not numeric names no version.
export const numberIn = ({ version }: { version: string }): number =>
  /^[1-9]\d{0,8}$/.test(version) ? Number(version) : -1

const Difference = message('app.v1.AutomationVersionDifference', {
  field: described(
    text(),
    'kind, expression, entitlementRefs, displayName, description, examples.mustMatchUserIds or examples.mustNotMatchUserIds.',
  ),
  before: described(text(), 'The value in the compared version; lists have one item per line.'),
  after: described(text(), 'The value in the other version.'),
})
const MatchedCounts = message('app.v1.AutomationVersionMatches', {
  both: described(int32(), 'Enabled users whom both versions match.'),
  onlyFrom: described(int32(), 'Users whom only the compared version matches.'),
  onlyTo: described(int32(), 'Users whom only the other version matches.'),
})
const Differing = message('app.v1.AutomationVersionDiffering', {
  userId: text(),
  user: nested(UserMessage),
  isFrom: described(flag(), 'Whether the compared version matches them, or the other one.'),
})

export const versionRoutes = [
  route({
    id: 'app.v1.AppEntitlements.ListAutomationVersions',
    at: `GET ${at}`,
    summary: 'List the versions of an automation rule, latest first: the rule, who saved it, when and why.',
    rule: 'entitlement.read-rule',
    about: ofRule,
    paged: true,
    reply: message('app.v1.ListAutomationVersionsResponse', { list: listOf(VersionMessage), nextPageToken }),
    async handle(call, { path, page }) {
      const rows = await listVersions(call.db, call.tenant.id, refOf(path), page)
      if (rows.length === 0) await refuseUnknownEntitlement(call, refOf(path))
      return page.cut(rows, (row) => [row.version], viewVersion)
    },
  }),
  route({
    id: 'app.v1.AppEntitlements.GetAutomationVersion',
    at: `GET ${one}`,
    summary: 'Get a version of an automation rule.',
    rule: 'entitlement.read-rule',
    about: ofRule,
    reply: message('app.v1.GetAutomationVersionResponse', { version: nested(VersionMessage) }),
    async handle(call, { path }) {
      await refuseUnknownEntitlement(call, refOf(path))
      return { version: viewVersion(await getVersion(call.db, call, refOf(path), numberIn(path))) }
    },
  }),
  route({
    id: 'app.v1.AppEntitlements.CompareAutomationVersions',
    at: `POST ${one}/compare`,
    summary:
      'Compare a version of an automation rule with another one: the differences, and whom each would match now.',
    rule: 'entitlement.read-rule',
    about: ofRule,
    paged: true,
    body: message('app.v1.CompareAutomationVersionsRequestInput', {
      toVersion: described(int32(), 'The other version; the latest one by default.'),
    }),
    reply: message('app.v1.CompareAutomationVersionsResponse', {
      from: nested(VersionMessage),
      to: nested(VersionMessage),
      differences: listOf(Difference),
      matches: described(nested(MatchedCounts), 'Null if it cannot be determined; see matchesError.'),
      boundedCounts: described(
        list(text()),
        'The counts that are upper bounds: for callers who may not see everyone, counts below 5 are shown as 4.',
      ),
      matchesError: described(
        text(),
        'Why it cannot be determined whom they match, such as a version that no longer compiles.',
      ),
      list: described(listOf(Differing), 'Users whom only one of them matches, for callers who may see everyone.'),
      nextPageToken,
    }),
    async handle(call, { path, body, page }) {
      const ref = refOf(path)
      await refuseUnknownEntitlement(call, ref)
      const from = await getVersion(call.db, call, ref, numberIn(path))
      const to = await getVersion(call.db, call, ref, body.toVersion)
      const [after = '', both = 0, onlyFrom = 0, onlyTo = 0] = (page.after ?? []) as [
        string?,
        number?,
        number?,
        number?,
      ]
      const isAll = seesEveryone(call.actor)
      const compared = { from: viewVersion(from), to: viewVersion(to), differences: differencesOf(from, to) }
      try {
        const { counts, rows } = await inTurn(call, async (tx, effort) => {
          const pair = await pairOf(tx, call, { from: from.definition, to: to.definition }, effort)
          return {
            counts: page.after ? { both, onlyFrom, onlyTo } : await countMatches(tx, call, pair, effort),
            rows: isAll ? await listDifferences(tx, call, pair, effort, { after, limit: page.limit }) : [],
          }
        })
        const ids = rows.map(({ userId }) => userId)
        const users = await findUsers(call.db, call.tenant.id, ids, call.now())
        const userOf = new Map(users.map((user) => [user.id, user]))
        const cut = page.cut(
          rows,
          ({ userId }) => [userId, counts.both, counts.onlyFrom, counts.onlyTo],
          ({ userId, isFrom }) => ({ userId, isFrom, user: userOf.get(userId) ?? null }),
        )
        const bounded = boundCounts(call, counts, ['both', 'onlyFrom', 'onlyTo'])
        return { ...compared, ...cut, matches: bounded.counts, boundedCounts: bounded.boundedCounts, matchesError: '' }
      } catch (error) {
        // The definitions can be compared even if one of them can no longer be evaluated, or not for this caller.
        if (!(error instanceof Refusal) || error.status !== 400) throw error
        const nobody = { matches: null, boundedCounts: [], list: [], nextPageToken: '' }
        return { ...compared, ...nobody, matchesError: error.message }
      }
    },
  }),
]
