import { Anchor, Badge, Code, Skeleton, Stack } from '@mantine/core'
import { IconCircleCheck, IconCircleX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { appEntitlementsExplainAutomation, appEntitlementsGetAutomation } from '#client/api/operations.ts'
import type { AutomationLookedAt, ExplainAutomationResponse } from '#client/api/types.ts'
import { read } from '../../client/queries.ts'
import { ErrorNote } from '../../parts/error-note.tsx'
import { GrantReasons } from '../../parts/grant-reasons.tsx'
import { Moment } from '../../parts/moment.tsx'
import { UserName } from '../../parts/user-name.tsx'
import classes from './explanation.module.css'
import { type Of, pathOf } from './reads.ts'

/** Whether a user has an entitlement and why, how the rule decides about them, and by which values. */
export function Explanation({ of, userId }: { of: Of; userId: string }): ReactNode {
  const { data, error, refetch } = useQuery({
    ...read(appEntitlementsExplainAutomation, { path: { ...pathOf(of), user_id: userId } }),
    staleTime: 0,
  })
  if (error) return <ErrorNote error={error} title="The explanation could not be loaded" retry={() => void refetch()} />
  if (!data)
    return (
      <Stack>
        <Skeleton height={48} />
        <Skeleton height={96} />
        <Skeleton height={160} />
      </Stack>
    )
  return (
    <div className={classes.explanation}>
      <Verdict told={data} />
      {data.grants.length > 0 && <Grants told={data} />}
      <Exclusion told={data} />
      <Rule told={data} of={of} />
    </div>
  )
}

function Verdict({ told }: { told: ExplainAutomationResponse }): ReactNode {
  const Icon = told.holds ? IconCircleCheck : IconCircleX
  return (
    <div className={classes.verdict} data-holds={told.holds}>
      <Icon size={22} aria-hidden />
      <div>
        <strong>{told.holds ? 'Has access' : 'No access'}</strong>
        <div className={classes.quiet}>
          {told.holds ? (
            <>
              since <Moment at={told.heldSince} />
            </>
          ) : told.lastEndedAt ? (
            <>
              had access until <Moment at={told.lastEndedAt} />
            </>
          ) : (
            'never had access'
          )}
        </div>
      </div>
    </div>
  )
}

const Grants = ({ told }: { told: ExplainAutomationResponse }): ReactNode => (
  <section>
    <h3 className={classes.title}>Grants</h3>
    <ul className={classes.grants}>
      {told.grants.map((grant) => (
        <li key={grant.id}>
          <GrantReasons
            reasons={[
              {
                appId: told.appId,
                appEntitlementId: told.appEntitlementId,
                appUserId: grant.appUserId,
                derivedIdType: grant.source,
                derivedIdData: grant.grantedBy,
                referenceStrength: 'GRANT_REASON_REFERENCE_STRENGTH_UNSPECIFIED',
                reasonExpiresAt: grant.expiresAt,
                reason: grant.reason,
                createdAt: grant.grantedAt,
                updatedAt: null,
                deletedAt: null,
              },
            ]}
          />
          <span className={classes.quiet}>
            since <Moment at={grant.grantedAt} />
            {grant.expiresAt && (
              <>
                , expires <Moment at={grant.expiresAt} />
              </>
            )}
          </span>
        </li>
      ))}
    </ul>
  </section>
)

const Exclusion = ({ told }: { told: ExplainAutomationResponse }): ReactNode => (
  <section>
    <h3 className={classes.title}>Exclusion</h3>
    {told.isExcluded ? (
      <div className={classes.line}>
        <Badge component="span" color="grape.9">
          Excluded
        </Badge>
        <span>
          since <Moment at={told.excludedAt} />
        </span>
        {told.excludedByUserId && <UserName userId={told.excludedByUserId} />}
        {told.excludedReason && <span>Reason: {told.excludedReason}</span>}
        <span>The rule does not grant or revoke their access.</span>
      </div>
    ) : (
      <p className={classes.line}>Not on the exclusion list.</p>
    )}
  </section>
)

const verdicts: Readonly<Record<ExplainAutomationResponse['verdict'], readonly [label: string, color: string]>> = {
  AUTOMATION_VERDICT_UNSPECIFIED: ['Not evaluated', 'gray.8'],
  AUTOMATION_VERDICT_MATCHES: ['Matches', 'teal.9'],
  AUTOMATION_VERDICT_DOES_NOT_MATCH: ['Does not match', 'gray.8'],
  AUTOMATION_VERDICT_FAILED: ['Failed', 'orange.9'],
}

const outcomeWords: Readonly<Record<ExplainAutomationResponse['outcome'], string>> = {
  AUTOMATION_OUTCOME_UNSPECIFIED: 'A run would change nothing.',
  AUTOMATION_OUTCOME_GAIN: 'The next run grants the entitlement.',
  AUTOMATION_OUTCOME_LOSE: 'The next run revokes the entitlement.',
  AUTOMATION_OUTCOME_STAY: 'They match and have access: a run changes nothing.',
  AUTOMATION_OUTCOME_EXCLUDED: 'They are excluded: a run changes nothing.',
}

function Rule({ told, of }: { told: ExplainAutomationResponse; of: Of }): ReactNode {
  const [label, color] = verdicts[told.verdict]
  const { data } = useQuery({ ...read(appEntitlementsGetAutomation, { path: pathOf(of) }), enabled: told.hasRule })
  const rule = data?.AppEntitlementAutomation ?? undefined
  const expression = rule?.cel?.expression || rule?.basic?.expression
  return (
    <section>
      <h3 className={classes.title}>Result of the rule</h3>
      {told.hasRule ? (
        <>
          <div className={classes.line}>
            <Badge component="span" color={color}>
              {label}
            </Badge>
            <Anchor component={Link} to={`/apps/${of.appId}/entitlements/${of.entitlementId}/automation`} size="sm">
              {rule?.displayName || 'Rule'}, version {told.ruleVersion}
            </Anchor>
            <span>{outcomeWords[told.outcome]}</span>
          </div>
          {expression && <Code block>{expression}</Code>}
          {told.error && (
            <p className={classes.line}>
              <Code>{told.error}</Code>
            </p>
          )}
          {told.lookedAt.length > 0 && <LookedAt looked={told.lookedAt} />}
        </>
      ) : (
        <p className={classes.line}>The entitlement has no automation rule.</p>
      )}
    </section>
  )
}

const LookedAt = ({ looked }: { looked: readonly AutomationLookedAt[] }): ReactNode => (
  <table className={classes.looked}>
    <caption>Values used</caption>
    <thead>
      <tr>
        <th scope="col">Field</th>
        <th scope="col">Value</th>
      </tr>
    </thead>
    <tbody>
      {looked.map(({ path, value, isMissing }) => (
        <tr key={path}>
          <th scope="row">
            <Code>{path}</Code>
          </th>
          <td>{isMissing ? <span className={classes.quiet}>missing</span> : <Code>{value}</Code>}</td>
        </tr>
      ))}
    </tbody>
  </table>
)
