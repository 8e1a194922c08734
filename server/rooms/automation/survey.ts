import type { Reads } from '#kernel/sql.ts'
import type { EntitlementRef, Failure } from './automation.ts'
import { judge, judgedSql, type Matcher, verdictSql } from './matching.ts'
import { listNextUsers, type Scope, type Survey } from './store-difference.ts'

/** Users that are asked one by one before what was found is committed. */
export const usersPerChunk = 1000

export type Asked = { ref: EntitlementRef; matcher: Matcher; now: Date }
/** What was found of a part of everyone: of those whose ids go up to `position`. */
export type Surveyed = { survey: Survey; failures: Failure[]; position: string; isOver: boolean }

/**
 * Surveys what a rule would do about everyone after `after`: all of them by one statement, or the next ones where each has
 * to be asked.
 */
export async function surveyNext(
  db: Reads,
  tenantId: number,
  { ref, matcher, now }: Asked,
  after: string,
  surveyPart: (scope: Scope) => Promise<Survey>,
): Promise<Surveyed> {
  const scope = { tenantId, ref, now }
  const verdict = verdictSql(db, tenantId, matcher, { now, isForAll: true })
  if (verdict) {
    const survey = await surveyPart({ ...scope, verdict, among: null })
    const { failures } = await judge(db, tenantId, matcher, survey.failedIds, now)
    return { survey, failures, position: '', isOver: true }
  }
  const userIds = await listNextUsers(db, tenantId, after, usersPerChunk)
  const judged = await judge(db, tenantId, matcher, userIds, now)
  const position = userIds.at(-1) ?? after
  const survey = await surveyPart({ ...scope, verdict: judgedSql(db, judged), among: { after, upTo: position } })
  // Of those who are disabled it is no failure: no rule matches them.
  const named = new Set(survey.failedIds)
  const failures = judged.failures.filter(({ userId }) => named.has(userId))
  return { survey, failures, position, isOver: userIds.length < usersPerChunk }
}
