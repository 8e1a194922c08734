import type { ApprovalStep, Step } from '#rooms/governance/policies/index.ts'
import type { AssignedWhy, Assignee, Explained } from '../machine/task.ts'

/** Texts for the parts of a route. The caller inserts names. */
export type NameOf = (userId: string) => string

const assignedWords: Record<AssignedWhy, string> = {
  users: 'The policy names this person.',
  manager: 'Manager of the person whose access it is.',
  appOwners: 'Owner of the app.',
  group: 'Has the entitlement whose members decide.',
  self: 'The access is for this person.',
  entitlementOwners: 'Owner of the entitlement.',
  resourceOwners: 'Owner of the resource.',
  expression: 'An expression of the policy names this person.',
  delegate: 'Delegate',
  fallback: 'Fallback of the step.',
  superAdministrator: 'Super Administrator, because nobody else can decide.',
  reassigned: 'The step was reassigned to this person.',
  escalated: 'The step was escalated to this person.',
  requester: 'This person created the request.',
  provisioner: 'Assigned to provision what was approved.',
}

export const whyAssigned = (assignee: Assignee, nameOf: NameOf): string =>
  assignee.why === 'delegate' && assignee.for !== undefined
    ? `Delegate of ${nameOf(assignee.for)}.`
    : assignedWords[assignee.why]

const leftOutWords: { readonly [why: string]: string } = {
  disabled: 'Disabled or deleted.',
  'is a service principal': 'A service principal: decisions are made by people.',
  'may not grant it': 'An owner, but the access includes more than they have permission to grant.',
  'is uncertain': 'Has another email address, was enabled again, or was invited, since changes need approval.',
  'is the subject': 'The access is for this person, and the policy does not allow self-approval.',
  'is the author': 'Requested the change, which someone else must approve.',
  'approved an earlier step': 'Approved an earlier step, and this step needs someone else.',
}
/** The same, addressed to the person. */
const youLeftOutWords: { readonly [why: string]: string } = {
  disabled: 'you are disabled or deleted.',
  'is a service principal': 'decisions are made by people, not by service principals.',
  'may not grant it': 'the access includes more than you have permission to grant.',
  'is uncertain': 'you have another email address, were enabled again, or were invited, since changes need approval.',
  'is the subject': 'the access is for you, and the policy does not allow self-approval.',
  'is the author': 'you requested the change, and someone else must approve it.',
  'approved an earlier step': 'you approved an earlier step, and this step needs someone else.',
}
export const whyLeftOut = (why: string): string => leftOutWords[why] ?? why

const askedWords: { readonly [by: string]: string } = {
  users: 'the people whom the policy names',
  manager: 'the manager of the person',
  appOwners: 'the owners of the app',
  group: 'the holders of the entitlement that the policy names',
  self: 'the person whose access it is',
  entitlementOwners: 'the owners of the entitlement',
  resourceOwners: 'the owners of the resource',
  expression: 'the people whom an expression names',
  webhook: 'a webhook',
  fallback: 'the fallback of the step',
  superAdministrator: 'Super Administrators',
}
export const askedOf = (by: string): string => askedWords[by] ?? by

const becauseWords: { readonly [because: string]: string } = {
  nobody: 'there is nobody',
  'nobody able': 'none of them can decide',
  'too many': 'there are more than 128 of them',
  error: 'the expression fails',
}

/** What was tried before the step was assigned to its people. */
export const whyTried = ({ by, because, error }: Explained['tried'][number]): string => {
  const asked = askedOf(by)
  const told = error === undefined || error === '' ? '' : `: ${error}`
  return `${asked.charAt(0).toUpperCase()}${asked.slice(1)}: ${becauseWords[because] ?? because}${told}.`
}

export type AboutMe = {
  userId: string
  assignees: readonly Assignee[]
  explained: Explained
  isOver: boolean
  isFallback: boolean
}

/** Why someone can decide a step, or cannot. */
export function whyMe(step: Step, { userId, assignees, explained, isOver, isFallback }: AboutMe): string {
  if (step.kind !== 'approval' && assignees.length === 0) return 'Nobody decides this step.'
  const verb = isOver ? 'could' : 'can'
  if (assignees.some((each) => each.userId === userId))
    return step.kind === 'approval' ? `You ${verb} decide this step.` : `You ${verb} complete this step.`
  const inPlace = assignees.find((each) => each.for === userId)
  if (inPlace) return 'Your delegate decides for you.'
  const out = explained.leftOut.find((each) => each.userId === userId)
  if (out) return `You are excluded: ${youLeftOutWords[out.why] ?? out.why}`
  if (step.kind !== 'approval') return 'You are not one of the people who provision this.'
  if (isFallback) return 'You are the fallback of this step, which is used only if nobody else can decide.'
  return notOneOf[step.approvers.by]
}

const notOneOf: Record<ApprovalStep['approvers']['by'], string> = {
  users: 'The policy does not name you for this step.',
  manager: 'You are not the manager of the person whose access it is.',
  appOwners: 'You are not an owner of the app.',
  group: 'You do not have the entitlement whose members decide this step.',
  self: 'Only the person whose access it is decides this step.',
  entitlementOwners: 'You are not an owner of the entitlement.',
  resourceOwners: 'You are not an owner of the resource.',
  expression: 'The expression of the policy does not name you.',
  webhook: 'A webhook decides this step. Super Administrators decide it if the webhook cannot.',
}
