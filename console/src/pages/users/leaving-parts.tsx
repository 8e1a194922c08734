import type { ReactNode } from 'react'
import type { LeaverPlan } from '#client/api/types.ts'
import { Moment } from '../../parts/moment.tsx'
import { Named } from '../../parts/named.tsx'
import type { Column } from '../../parts/table.tsx'
import { UserName } from '../../parts/user-name.tsx'
import { counted } from '../tasks/words.ts'
import { ownedAt } from './leaving.ts'
import { Part } from './leaving-part.tsx'
import classes from './user-leaving.module.css'

const connectorWords: Readonly<Record<string, string>> = {
  grant: 'Grant',
  revoke: 'Revoke',
  create_account: 'Create the account',
  delete_account: 'Delete the account',
}

const afterwardsColumn: Column<{ afterwards: string }> = {
  header: 'Afterwards',
  width: '45%',
  cell: ({ afterwards }) => afterwards,
}

const shownMax = 3
const useWords: Readonly<Record<string, string>> = {
  approver: 'an approver',
  fallback: 'a fallback',
  reassignee: 'a possible reassignee',
  escalation: 'an escalation contact',
  provisioner: 'a provisioner',
}

/** What waits for their decision, and what names them as an approver. */
export function DecisionParts({ plan }: { plan: LeaverPlan }): ReactNode {
  return (
    <>
      <Part
        title="Open steps"
        about={
          plan.openStepsCount > plan.openSteps.length
            ? `The first ${plan.openSteps.length} of ${plan.openStepsCount.toLocaleString()} steps waiting for them.`
            : 'Steps of requests waiting for them.'
        }
        rows={plan.openSteps}
        keyOf={({ policyStepId }) => policyStepId}
        columns={[
          {
            header: 'Request',
            cell: ({ numericId, displayName }) => <Named label={displayName} to={`/tasks/${numericId}`} />,
          },
          {
            header: 'Afterwards',
            width: '45%',
            cell: ({ afterwards, afterwardsUserIds }) => (
              <div>
                {afterwards}
                {afterwardsUserIds.length > 0 && (
                  <div className={classes.people}>
                    {afterwardsUserIds.slice(0, shownMax).map((id) => (
                      <UserName key={id} userId={id} />
                    ))}
                    {afterwardsUserIds.length > shownMax && `and ${afterwardsUserIds.length - shownMax} more`}
                  </div>
                )}
              </div>
            ),
          },
        ]}
      />
      <Part
        title="Policies that name them"
        about={
          plan.fourEyesKinds.length > 0
            ? `Changes of these kinds need approval under one of them: ${plan.fourEyesKinds.join(', ')}.`
            : undefined
        }
        rows={plan.policies}
        keyOf={({ policyId, stepKey, place, use }) => `${policyId} ${stepKey} ${place} ${use}`}
        columns={[
          {
            header: 'Policy',
            cell: ({ policyId, policyName, place, use }) => (
              <Named
                label={policyName}
                to={`/policies/${policyId}`}
                about={`Step ${place}, as ${useWords[use] ?? use}`}
              />
            ),
          },
          afterwardsColumn,
        ]}
      />
    </>
  )
}

/** What they carry out, or own alone. */
export function OwnershipParts({ plan }: { plan: LeaverPlan }): ReactNode {
  return (
    <>
      <Part
        title="Pending connector tasks"
        rows={plan.connectorTasks}
        keyOf={({ taskId }) => taskId}
        columns={[
          {
            header: 'Task',
            cell: ({ kind, state, displayName, appId, appDisplayName }) => (
              <Named
                label={`${connectorWords[kind] ?? kind}${displayName && ` ${displayName}`}`}
                to={`/apps/${appId}`}
                about={`${appDisplayName}, ${state}`}
              />
            ),
          },
          afterwardsColumn,
        ]}
      />
      <Part
        title="Objects that nobody else owns"
        about={
          plan.ownershipsCount > plan.lastOwnerOf.length
            ? `They own ${counted(plan.ownershipsCount, 'object')} in total; the others have another owner.`
            : undefined
        }
        rows={plan.lastOwnerOf}
        keyOf={({ kind, appId, appResourceTypeId, id, roleSlug }) =>
          [kind, appId, appResourceTypeId, id, roleSlug].join()
        }
        columns={[
          {
            header: 'Object',
            cell: (owned) =>
              owned.kind === 'user' ? (
                <UserName userId={owned.id} />
              ) : (
                <Named label={owned.displayName || owned.id} to={ownedAt(owned)} about={owned.kind} />
              ),
          },
          afterwardsColumn,
        ]}
      />
      <Part
        title="Entitlements that they provision"
        rows={plan.provisioners}
        keyOf={({ appId, appEntitlementId }) => `${appId} ${appEntitlementId}`}
        columns={[
          {
            header: 'Entitlement',
            cell: ({ appId, appEntitlementId, displayName }) => (
              <Named label={displayName} to={`/apps/${appId}/entitlements/${appEntitlementId}/requests`} />
            ),
          },
          afterwardsColumn,
        ]}
      />
    </>
  )
}

/** Who decides for others. */
export function Delegations({ plan }: { plan: LeaverPlan }): ReactNode {
  return (
    <Part
      title="Delegations"
      rows={plan.delegations}
      keyOf={({ userId, delegatedUserId }) => `${userId} ${delegatedUserId}`}
      columns={[
        {
          header: 'Delegation',
          cell: ({ userId, delegatedUserId, expirationAt }) => (
            <>
              <UserName userId={delegatedUserId} /> decides for <UserName userId={userId} />
              {expirationAt && (
                <div className={classes.quiet}>
                  until <Moment at={expirationAt} show="day" />
                </div>
              )}
            </>
          ),
        },
        afterwardsColumn,
      ]}
    />
  )
}

/** Their requests, and the credentials and programs that act as them. */
export function OwnParts({ plan }: { plan: LeaverPlan }): ReactNode {
  return (
    <>
      <Part
        title="Their own requests and changes"
        rows={plan.requests}
        keyOf={({ taskId }) => taskId}
        columns={[
          {
            header: 'Request',
            cell: ({ numericId, displayName }) => <Named label={displayName} to={`/tasks/${numericId}`} />,
          },
          afterwardsColumn,
        ]}
      />
      <Part
        title="API credentials"
        about="They stop working."
        rows={plan.credentials}
        keyOf={({ id }) => id}
        columns={[
          { header: 'Credential', cell: ({ id, displayName }) => <Named label={displayName || id} /> },
          {
            header: 'Last used',
            width: '45%',
            cell: ({ lastUsedAt }) => (lastUsedAt ? <Moment at={lastUsedAt} show="day" /> : 'Never'),
          },
        ]}
      />
    </>
  )
}
