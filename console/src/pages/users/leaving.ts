import type { LeaverOwnership, LeaverPlan } from '#client/api/types.ts'
import { counted } from '../tasks/words.ts'

type Owned = Pick<LeaverOwnership, 'kind' | 'appId' | 'appResourceTypeId' | 'id'>

/** Where something that someone owns is. */
export const ownedAt = ({ kind, appId, appResourceTypeId, id }: Owned): string | undefined => {
  if (kind === 'app') return `/apps/${id}/owners`
  if (kind === 'entitlement') return `/apps/${appId}/entitlements/${id}/owners`
  if (kind === 'account') return `/apps/${appId}/accounts/${id}`
  if (kind === 'connector') return `/apps/${appId}/connectors/${id}/owners`
  return kind === 'resource' ? `/apps/${appId}/resources/${appResourceTypeId}/${id}` : undefined
}

/** What needs somebody before a person is disabled: only they can do it. */
export function needsSomeone(plan: LeaverPlan): string[] {
  const named = plan.policies.filter(({ othersAble }) => othersAble === 0).length
  const carried = plan.provisioners.filter(({ othersAble }) => othersAble === 0).length
  return [
    plan.openStepsOnlyTheirs > 0 && `${counted(plan.openStepsOnlyTheirs, 'open step')} that wait only for them`,
    named > 0 && `${counted(named, 'step')} of policies that name only them`,
    carried > 0 && `${counted(carried, 'entitlement')} that only they provision`,
    plan.lastOwnerOf.length > 0 && `${counted(plan.lastOwnerOf.length, 'object')} that nobody else owns`,
    plan.peopleManagedOnlyByThem > 0 &&
      `${plan.peopleManagedOnlyByThem.toLocaleString()} ${plan.peopleManagedOnlyByThem === 1 ? 'person' : 'people'} with no other manager`,
    plan.credentials.length > 0 && `${counted(plan.credentials.length, 'API credential')} that would stop working`,
  ].filter((each): each is string => each !== false)
}

/** What else depends on them. */
export function dependsToo(plan: LeaverPlan): string[] {
  const others = plan.openStepsCount - plan.openStepsOnlyTheirs
  return [
    others > 0 && `${counted(others, 'open step')} that others can decide`,
    plan.requests.length > 0 && `${counted(plan.requests.length, 'open request')}, which would be cancelled`,
    plan.delegations.length > 0 && counted(plan.delegations.length, 'delegation'),
  ].filter((each): each is string => each !== false)
}
