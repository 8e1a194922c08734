import { seesEveryone, sightOf } from '#authority/sight/index.ts'
import { type FieldViolation, invalid } from '#kernel/refusals.ts'
import type { Call } from '#kernel/routes.ts'
import type { Reads } from '#kernel/sql.ts'
import type { EntitlementRef, Example } from '../automation.ts'
import { effortOf } from '../effort.ts'
import { type Asking, judgeAll, type Matcher } from '../matching/matching.ts'
import { exampleFailed } from '../refuse.ts'
import { listExampleUsers } from './store.ts'

/** People who left are not checked: their example stays, and does not block saving. */
export type Checked = Example & { displayName: string; status: 'holds' | 'fails' | 'unchecked'; error: string }

/** Checks a rule against its examples. */
export async function checkExamples(
  asking: Asking,
  matcher: Matcher,
  examples: readonly Example[],
): Promise<Checked[]> {
  if (examples.length === 0) return []
  const { db, tenantId } = asking
  const ids = examples.map(({ userId }) => userId)
  const users = new Map((await listExampleUsers(db, tenantId, ids)).map((user) => [user.id, user]))
  const enabled = ids.filter((id) => users.get(id)?.isEnabled)
  const told = (await judgeAll(asking, [{ key: 'rule', matcher }], enabled)).get('rule')
  return examples.map((example) => {
    const user = users.get(example.userId)
    const { matches, error } = told?.get(example.userId) ?? { matches: false, error: '' }
    const status = !user?.isEnabled ? 'unchecked' : matches === example.matches ? 'holds' : 'fails'
    return { ...example, displayName: user?.displayName ?? '', status, error }
  })
}

const fieldOf = (prefix: string, matches: boolean): string =>
  `${prefix}examples.${matches ? 'mustMatchUserIds' : 'mustNotMatchUserIds'}`

export type Wanted = {
  ref: EntitlementRef
  /** The examples that the rule had before; empty if it is new. */
  before: readonly Example[]
  /** Null if the caller does not send examples: they stay unchanged. */
  sent: readonly Example[] | null
  matcher: Matcher
  /** The prefix of fields in refusals, as the caller names them. */
  prefix: string
}

/**
 * The examples that a rule has from now on; refused if it fails one of them. Callers who may not see everyone neither name
 * people whom they do not see, nor lose examples that they were not shown.
 */
export async function keepExamples(db: Reads, call: Call, wanted: Wanted): Promise<Example[]> {
  const { before, sent, prefix } = wanted
  const isAll = seesEveryone(call.actor)
  const hidden = isAll
    ? new Set<string>()
    : await sightOf(call, db).hidden([...before, ...(sent ?? [])].map(({ userId }) => userId))
  const examples = sent ? [...sent, ...before.filter(({ userId }) => hidden.has(userId))] : [...before]
  if (sent) await refuseWrongExamples(db, call, { sent, before, hidden, prefix })
  const asking = { db, world: call, tenantId: call.tenant.id, now: call.now(), effort: effortOf(call) }
  const failing = (await checkExamples(asking, wanted.matcher, examples)).filter(({ status }) => status === 'fails')
  if (failing.length > 0) throw refusalOf(wanted, failing, hidden)
  return examples
}

function refusalOf({ ref, prefix }: Wanted, failing: readonly Checked[], hidden: ReadonlySet<string>) {
  const shown = failing.filter(({ userId }) => !hidden.has(userId))
  const violations = shown.map(({ userId, displayName, matches, error }) => ({
    field: fieldOf(prefix, matches),
    description: `${displayName || userId} must ${matches ? 'match, and does not' : 'not match, and does'}${error === '' ? '' : ` (${error})`}`,
  }))
  return exampleFailed(ref, violations, {
    userIds: shown.map(({ userId }) => userId),
    hidden: failing.length - shown.length,
  })
}

type Sent = { sent: readonly Example[]; before: readonly Example[]; hidden: ReadonlySet<string>; prefix: string }

/** Refuses users who do not exist, unless they left since they were named, and users who are named for both. */
async function refuseWrongExamples(db: Reads, call: Call, { sent, before, hidden, prefix }: Sent): Promise<void> {
  const known = new Set(before.map(({ userId }) => userId))
  const others = sent.filter(({ userId }) => !known.has(userId))
  const users = await listExampleUsers(
    db,
    call.tenant.id,
    others.map(({ userId }) => userId),
  )
  const there = new Set(users.filter(({ isDeleted, id }) => !isDeleted && !hidden.has(id)).map(({ id }) => id))
  const matching = new Set(sent.filter(({ matches }) => matches).map(({ userId }) => userId))
  const [first, ...more]: FieldViolation[] = [
    ...others
      .filter(({ userId }) => !there.has(userId))
      .map(({ userId, matches }) => ({
        field: fieldOf(prefix, matches),
        description: `there is no user ${userId}`,
      })),
    ...sent
      .filter(({ userId, matches }) => !matches && matching.has(userId))
      .map(({ userId }) => ({ field: fieldOf(prefix, false), description: `the user ${userId} must match already` })),
  ]
  if (first) throw invalid(first, ...more)
}
