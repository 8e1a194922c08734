import type { Call } from '#kernel/routes.ts'
import type { Tx } from '#kernel/sql.ts'
import type { Definition } from '../automation.ts'
import type { Effort } from '../effort.ts'
import { askingIn, boundStatements } from '../matching/asking.ts'
import { type Matcher, matcherOf, verdictAbout, verdictSql } from '../matching/matching.ts'
import { listNextUsers } from '../matching/store/difference.ts'
import { usersPerChunk } from '../matching/survey.ts'
import { refuseUnseenReads } from '../seen.ts'
import { countMatched, type Differing, listDiffering, type Matched, type Verdicts } from './store/matched.ts'

export type Pair = { from: Matcher; to: Matcher }

/**
 * Two definitions, ready to be evaluated. Callers who may not see everyone compare only what they may read: the people whom
 * both match would otherwise reveal what the other one reads (decision 0038).
 */
export async function pairOf(
  tx: Tx,
  call: Call,
  { from, to }: { from: Definition; to: Definition },
  effort: Effort,
): Promise<Pair> {
  const pair = { from: await matcherOf(call, effort, from), to: await matcherOf(call, effort, to) }
  await refuseUnseenReads(tx, call, { definition: from, matcher: pair.from, prefix: '' })
  await refuseUnseenReads(tx, call, { definition: to, matcher: pair.to, prefix: '' })
  return pair
}

const partSizes = [2_000, 10_000, 50_000]

/** How many enabled users two rules match, together and each alone. */
export async function countMatches(tx: Tx, call: Call, pair: Pair, effort: Effort): Promise<Matched> {
  const asking = askingIn(tx, call, effort)
  await boundStatements(tx, effort)
  const { fragment: from } = await verdictSql(asking, pair.from, true)
  const { fragment: to } = await verdictSql(asking, pair.to, true)
  if (from && to) return countMatched(tx, call.tenant.id, { from, to }, null)
  let all: Matched = { both: 0, onlyFrom: 0, onlyTo: 0 }
  for (let after = ''; ; ) {
    const part = await nextPart(tx, call, pair, effort, { after, size: usersPerChunk })
    if (!part) return all
    const some = await countMatched(tx, call.tenant.id, part.verdicts, { after, upTo: part.upTo })
    all = {
      both: all.both + some.both,
      onlyFrom: all.onlyFrom + some.onlyFrom,
      onlyTo: all.onlyTo + some.onlyTo,
    }
    after = part.upTo
  }
}

/** The next of the users whom only one of two rules matches, by id. */
export async function listDifferences(
  tx: Tx,
  call: Call,
  pair: Pair,
  effort: Effort,
  page: { after: string; limit: number },
): Promise<Differing[]> {
  const found: Differing[] = []
  const asking = askingIn(tx, call, effort)
  const isAsked = [await verdictSql(asking, pair.from, false), await verdictSql(asking, pair.to, false)].some(
    ({ fragment }) => fragment === null,
  )
  let { after } = page
  for (let count = 0; found.length < page.limit; count++) {
    const size = isAsked ? usersPerChunk : (partSizes[Math.min(count, partSizes.length - 1)] as number)
    const part = await nextPart(tx, call, pair, effort, { after, size })
    if (!part) break
    const among = { after, upTo: part.upTo }
    found.push(...(await listDiffering(tx, call.tenant.id, part.verdicts, among, page.limit - found.length)))
    after = part.upTo
  }
  return found
}

type Part = { upTo: string; verdicts: Verdicts }

/** The next users, and the results of both rules for them. */
async function nextPart(
  tx: Tx,
  call: Call,
  { from, to }: Pair,
  effort: Effort,
  { after, size }: { after: string; size: number },
): Promise<Part | null> {
  await boundStatements(tx, effort)
  const userIds = await listNextUsers(tx, call.tenant.id, after, size)
  const upTo = userIds.at(-1)
  if (upTo === undefined) return null
  const asking = askingIn(tx, call, effort)
  const first = await verdictAbout(asking, from, userIds)
  const second = await verdictAbout(asking, to, userIds)
  return { upTo, verdicts: { from: first.verdict, to: second.verdict } }
}
