import type { EntitlementRef, Failure } from '../automation.ts'
import { type Asking, judge, judgedSql, type Matcher, verdictSql } from './matching.ts'
import { listNextUsers, type Scope, type Survey } from './store/difference.ts'

/** Users who are evaluated one by one before the result is committed. */
export const usersPerChunk = 1000
/** Users per statement, if one statement over everyone took too long. */
const usersPerPart = 2000
/** Sorts before all users: everyone is evaluated in parts, instead of in one statement. */
export const byParts = '0'

export type Asked = Asking & { ref: EntitlementRef; matcher: Matcher }
/** The result for a part of everyone: those with ids up to `position`. */
export type Surveyed = { survey: Survey; failures: Failure[]; position: string; isOver: boolean }

/**
 * Surveys what a rule would do about everyone after `after`: all of them in one statement, or the next ones if each has to
 * be evaluated.
 */
export async function surveyNext(
  asked: Asked,
  after: string,
  surveyPart: (scope: Scope) => Promise<Survey>,
): Promise<Surveyed> {
  const { db, tenantId, ref, matcher, now } = asked
  const scope = { tenantId, ref, now }
  const { fragment: verdict } = await verdictSql(asked, matcher, true)
  if (verdict && after === '') {
    const survey = await surveyPart({ ...scope, verdict, among: null })
    const { failures } = await judge(asked, matcher, survey.failedIds)
    return { survey, failures, position: '', isOver: true }
  }
  if (verdict) {
    const ids = await listNextUsers(db, tenantId, after, usersPerPart)
    const upTo = ids.at(-1) ?? after
    const survey = await surveyPart({ ...scope, verdict, among: { after, upTo } })
    const { failures } = await judge(asked, matcher, survey.failedIds)
    return { survey, failures, position: upTo, isOver: ids.length < usersPerPart }
  }
  const userIds = await listNextUsers(db, tenantId, after, usersPerChunk)
  const judged = await judge(asked, matcher, userIds)
  const position = userIds.at(-1) ?? after
  const survey = await surveyPart({ ...scope, verdict: judgedSql(db, judged), among: { after, upTo: position } })
  // A failure for a disabled user does not count: no rule matches them.
  const named = new Set(survey.failedIds)
  const failures = judged.failures.filter(({ userId }) => named.has(userId))
  return { survey, failures, position, isOver: userIds.length < usersPerChunk }
}
