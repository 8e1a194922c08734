import type { May } from '#authority/proof.ts'
import type { Wanted } from '../deciding/action-rules.ts'
import { actIn } from '../deciding/actions.ts'
import { personOf } from '../sight.ts'
import type { Asked, Created, Prepared } from './actions.ts'

/**
 * Continues the open task for the same access, if that waits for answers and the request has them: so that a client that was
 * refused because answers were missing can send the request again. Other changes in the request are applied too; null if
 * they cannot be.
 */
export async function resumeTask(call: May<'tasks.act'>, asked: Asked, prepared: Prepared): Promise<Created | null> {
  const { answers, durationSeconds } = asked
  const { facts, opening } = prepared
  const twin = await facts.openTwin(opening.about)
  if (asked.kind !== 'grant' || !twin || twin.stepKind !== 'form' || asked.planFingerprint) return null
  if (!answers || Object.keys(answers).length === 0) return null
  const { isRequester, isSubject } = personOf(call, twin)
  const isSame = twin.isEmergency === asked.isEmergency && ['', twin.accountId].includes(asked.appUserId)
  if (!isSame || !(isRequester || isSubject)) return null
  if (durationSeconds !== null && durationSeconds !== twin.durationSeconds)
    await actOn({ action: 'update-grant-duration', durationSeconds })
  const comment = asked.description === twin.description ? '' : asked.description
  const ran = await actOn({ action: 'update-request-data', answers, answersIn: 'requestData', comment })
  return { ...ran, isEmergencyEnabled: prepared.terms.isEmergencyEnabled }

  async function actOn(wanted: Wanted) {
    const done = await actIn(facts, call, (twin as { id: string }).id, wanted)
    if (done.refusal) throw done.refusal
    return done.ran
  }
}
