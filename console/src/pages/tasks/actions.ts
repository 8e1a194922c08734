import {
  type Icon,
  IconAlertCircle,
  IconBan,
  IconBolt,
  IconCheck,
  IconClockEdit,
  IconForms,
  IconPlayerSkipForward,
  IconRefresh,
  IconReload,
  IconRotate,
  IconUserShare,
  IconX,
  IconZoomCheck,
} from '@tabler/icons-react'
import {
  taskActionsApprove,
  taskActionsClose,
  taskActionsDeny,
  taskActionsEscalateToEmergencyAccess,
  taskActionsHardReset,
  taskActionsProcessNow,
  taskActionsProvisionCancelled,
  taskActionsProvisionComplete,
  taskActionsProvisionErrored,
  taskActionsReassign,
  taskActionsRestart,
  taskActionsRetryProvisioning,
  taskActionsSkipStep,
  taskActionsUpdateGrantDuration,
  taskActionsUpdateRequestData,
} from '#client/api/operations.ts'
import type { Approval } from '#client/api/types.ts'
import type { Operation } from '#client/operation.ts'

type Body = {
  policyStepId?: string
  revision?: string
  comment?: string
  newStepUserIds?: string[]
  duration?: string | null
  data?: Record<string, unknown> | null
}
type ActionOperation = Operation<{ path: { task_id: string }; body?: Body }, unknown>

export type TaskAction = {
  /** The API's name for it, after TASK_ACTION_TYPE_. */
  type: string
  label: string
  title: string
  /** What it does; for a decision, the task shows that. */
  about?: string
  decision?: 'approve' | 'deny'
  done: string
  icon: Icon
  look: 'main' | 'danger' | 'plain'
  operation: ActionOperation
  /** The request has the step that was shown. */
  sendsStep?: boolean
  /** The request has the revision of the task that was shown. */
  sendsRevision?: boolean
  /** It takes no comment. */
  isSilent?: boolean
  asks?: 'people' | 'duration' | 'answers'
  needsReason?: (approval: Approval) => boolean
  /** The API requires a comment regardless of the policy. */
  isReasonNeeded?: boolean
}

const as = (operation: unknown): ActionOperation => operation as ActionOperation

/** What can be done with a task, in the order shown. A comment has a separate field. */
export const taskActions: readonly TaskAction[] = [
  {
    type: 'APPROVE',
    label: 'Approve',
    title: 'Approve this request?',
    decision: 'approve',
    done: 'Approved',
    icon: IconCheck,
    look: 'main',
    operation: as(taskActionsApprove),
    sendsStep: true,
    sendsRevision: true,
    needsReason: ({ requireApprovalReason }) => requireApprovalReason,
  },
  {
    type: 'DENY',
    label: 'Deny',
    title: 'Deny this request?',
    decision: 'deny',
    done: 'Denied',
    icon: IconX,
    look: 'danger',
    operation: as(taskActionsDeny),
    sendsStep: true,
    sendsRevision: true,
    needsReason: ({ requireDenialReason }) => requireDenialReason,
  },
  {
    type: 'PROVISION_COMPLETE',
    label: 'Mark as done',
    title: 'Mark the provisioning as done?',
    about:
      'Confirm that you have made the change in the app. It is then recorded, with your name, and a duration starts.',
    done: 'Marked as done',
    icon: IconCheck,
    look: 'main',
    operation: as(taskActionsProvisionComplete),
    sendsStep: true,
  },
  {
    type: 'PROVISION_ERRORED',
    label: 'Mark as failed',
    title: 'Mark the provisioning as failed?',
    about: 'The request is closed as failed. A request administrator can retry it.',
    done: 'Marked as failed',
    icon: IconAlertCircle,
    look: 'danger',
    operation: as(taskActionsProvisionErrored),
    sendsStep: true,
    isReasonNeeded: true,
  },
  {
    type: 'PROVISION_CANCELLED',
    label: 'Close without provisioning',
    title: 'Close without provisioning?',
    about: 'The request is closed as cancelled.',
    done: 'Closed',
    icon: IconBan,
    look: 'plain',
    operation: as(taskActionsProvisionCancelled),
    sendsStep: true,
  },
  {
    type: 'UPDATE_REQUEST_DATA',
    label: 'Answer the questions',
    title: 'Answers',
    about: 'If an answer changes, earlier approvals are requested again.',
    done: 'Answers saved',
    icon: IconForms,
    look: 'plain',
    operation: as(taskActionsUpdateRequestData),
    isSilent: true,
    asks: 'answers',
  },
  {
    type: 'UPDATE_GRANT_DURATION',
    label: 'Change duration',
    title: 'Change the requested duration',
    about: 'Earlier approvals are requested again, because they were for another duration.',
    done: 'Duration changed',
    icon: IconClockEdit,
    look: 'plain',
    operation: as(taskActionsUpdateGrantDuration),
    isSilent: true,
    asks: 'duration',
  },
  {
    type: 'REASSIGN',
    label: 'Reassign',
    title: 'Who should decide this step?',
    about: 'They replace everyone who is asked now.',
    done: 'Reassigned',
    icon: IconUserShare,
    look: 'plain',
    operation: as(taskActionsReassign),
    sendsStep: true,
    asks: 'people',
    needsReason: ({ requireReassignmentReason }) => requireReassignmentReason,
  },
  {
    type: 'ESCALATE_TO_EMERGENCY_ACCESS',
    label: 'Request as an emergency',
    title: 'Request this as an emergency?',
    about: 'The steps of the emergency policy replace the current steps.',
    done: 'Requested as an emergency',
    icon: IconBolt,
    look: 'plain',
    operation: as(taskActionsEscalateToEmergencyAccess),
  },
  {
    type: 'SKIP_STEP',
    label: 'Skip step',
    title: 'Skip the current step?',
    about: 'The step is skipped without a decision, and the next step starts.',
    done: 'Skipped',
    icon: IconPlayerSkipForward,
    look: 'plain',
    operation: as(taskActionsSkipStep),
    sendsStep: true,
  },
  {
    type: 'PROCESS_NOW',
    label: 'Check again',
    title: 'Check again who can decide?',
    about: 'People who can no longer decide are replaced, and a stuck request continues if possible.',
    done: 'Checked again',
    icon: IconZoomCheck,
    look: 'plain',
    operation: as(taskActionsProcessNow),
    isSilent: true,
  },
  {
    type: 'RETRY_PROVISIONING',
    label: 'Retry provisioning',
    title: 'Retry the provisioning?',
    about: 'The approvals are kept. Only the failed parts are repeated.',
    done: 'Retried',
    icon: IconReload,
    look: 'main',
    operation: as(taskActionsRetryProvisioning),
  },
  {
    type: 'RESTART',
    label: 'Restart',
    title: 'Restart from the first step?',
    about: 'The same steps start again. Previous decisions no longer count.',
    done: 'Restarted',
    icon: IconRefresh,
    look: 'plain',
    operation: as(taskActionsRestart),
  },
  {
    type: 'HARD_RESET',
    label: 'Reset',
    title: 'Select the policy again?',
    about: 'The current policy is applied from its first step. Previous decisions no longer count.',
    done: 'Reset',
    icon: IconRotate,
    look: 'plain',
    operation: as(taskActionsHardReset),
  },
  {
    type: 'CLOSE',
    label: 'Cancel request',
    title: 'Cancel this request?',
    about: 'The request is closed, and nothing is changed.',
    done: 'Cancelled',
    icon: IconBan,
    look: 'plain',
    operation: as(taskActionsClose),
  },
]
