import { type Icon, IconArrowForwardUp, IconCheck, IconDots, IconRefresh, IconX } from '@tabler/icons-react'
import type {
  ApprovalInstance,
  FormInstance,
  PolicyStepInstance,
  ProvisionInstance,
  WaitInstance,
} from '#client/api/types.ts'
import type { Stop } from './rail.tsx'

type Ended = { is: Stop['is']; icon: Icon; word: string; by: string; at: string | null }

const ended = (is: Stop['is'], icon: Icon, word: string, { by = '', at = null }: Partial<Ended> = {}): Ended => ({
  is,
  icon,
  word,
  by,
  at,
})

/** Nobody decided it: it was skipped, or others were asked. */
function passedOn({ approval, provision, wait, form }: PolicyStepInstance): Ended | undefined {
  const skipped = approval?.skipped ?? provision?.skipped ?? wait?.skipped ?? form?.skipped
  if (skipped) return ended('over', IconArrowForwardUp, 'Skipped', { by: skipped.userId, at: skipped.skippedAt })
  const restarted = approval?.restarted ?? form?.restarted
  if (restarted) return ended('over', IconRefresh, 'Restarted', { by: restarted.userId, at: restarted.restartedAt })
  const reassigned = approval?.reassigned ?? form?.reassigned
  if (reassigned)
    return ended('over', IconArrowForwardUp, 'Reassigned', { by: reassigned.userId, at: reassigned.reassignedAt })
}

function endOfApproval({ approved, denied }: ApprovalInstance): Ended | undefined {
  if (approved) return ended('done', IconCheck, 'Approved', { by: approved.userId, at: approved.approvedAt })
  if (denied) return ended('bad', IconX, 'Denied', { by: denied.userId, at: denied.deniedAt })
}

function endOfProvision({ completed, errored, cancelled }: ProvisionInstance): Ended | undefined {
  if (completed) return ended('done', IconCheck, 'Done', { by: completed.userId, at: completed.completedAt })
  if (errored) return ended('bad', IconX, 'Failed', { at: errored.erroredAt })
  if (cancelled) return ended('bad', IconX, 'Not done', { by: cancelled.cancelledByUserId, at: cancelled.cancelledAt })
}

function endOfWait({ timedOut, succeeded }: WaitInstance): Ended | undefined {
  if (timedOut) return ended('bad', IconX, 'Timed out', { at: timedOut.timedOutAt })
  if (succeeded) return ended('done', IconCheck, 'Finished', { at: succeeded.succeededAt })
}

function endOfForm({ completed }: FormInstance): Ended | undefined {
  if (completed) return ended('done', IconCheck, 'Answered', { by: completed.userId, at: completed.completedAt })
}

/** How a step that was taken ended. */
export function endOf(step: PolicyStepInstance): Ended {
  const { approval, provision, wait, form, accept, reject } = step
  const end =
    passedOn(step) ??
    (approval && endOfApproval(approval)) ??
    (provision && endOfProvision(provision)) ??
    (wait && endOfWait(wait)) ??
    (form && endOfForm(form))
  if (end) return end
  if (reject) return ended('bad', IconX, 'Denied')
  if (accept) return ended('done', IconCheck, 'Approved')
  return ended('over', IconDots, 'Ended')
}
