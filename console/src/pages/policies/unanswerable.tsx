import { Alert, Badge, Code, Text } from '@mantine/core'
import { IconChecks } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { unanswerableList } from '#client/api/operations.ts'
import type { UnanswerableEntitlement, UnanswerableProblem } from '#client/api/types.ts'
import { read } from '../../client/queries.ts'
import { DataList } from '../../parts/data-list.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Named } from '../../parts/named.tsx'
import { Page } from '../../parts/page.tsx'
import { counted } from '../tasks/words.ts'
import { PolicyTabs } from './policy-tabs.tsx'
import classes from './unanswerable.module.css'

/** Requestable entitlements that nobody whom the policy names can decide. */
export function Unanswerable(): ReactNode {
  return (
    <Page about="Who approves access, and in which steps. Changes apply to new requests only.">
      <PolicyTabs />
      <Checked />
      <DataList
        caption="Entitlements whose requests have no approver"
        operation={unanswerableList}
        input={({ pageSize, pageToken }) => ({ query: { page_size: pageSize, page_token: pageToken } })}
        rows={({ list }) => list}
        keyOf={({ appId, appEntitlementId }) => `${appId} ${appEntitlementId}`}
        columns={[
          {
            header: 'Entitlement',
            width: '26%',
            cell: ({ appId, appDisplayName, appEntitlementId, entitlementDisplayName }) => (
              <Named
                label={entitlementDisplayName}
                to={`/apps/${appId}/entitlements/${appEntitlementId}/requests`}
                about={appDisplayName}
              />
            ),
          },
          {
            header: 'Affects',
            width: '8rem',
            cell: ({ problems }) =>
              problems.some(({ peopleAffected }) => peopleAffected === 0) ? (
                <Badge color="orange">Everyone</Badge>
              ) : (
                <Badge>Some people</Badge>
              ),
          },
          {
            header: 'Problem and solution',
            cell: (each) => <Problems of={each} />,
          },
        ]}
        empty={{
          icon: IconChecks,
          title: 'Every request has an approver',
          children: 'Each entitlement that can be requested has at least one person for every step of its policy.',
        }}
      />
    </Page>
  )
}

const againMs = 10_000

/** When the last check ran. It runs automatically after every change. */
function Checked(): ReactNode {
  const { data } = useQuery({ ...read(unanswerableList, { query: { page_size: 10 } }), refetchInterval: againMs })
  return (
    <Alert mb="md" variant="light" color="gray" role="status">
      <Text size="sm">
        Requestable entitlements with a step that none of the people selected by the policy can decide.{' '}
        {data?.checkedAt ? (
          <>
            {counted(data.entitlementsChecked, 'entitlement')} checked, last on <Moment at={data.checkedAt} />. It is
            checked again within seconds after a change.
          </>
        ) : (
          data && 'The first check has not finished yet.'
        )}
      </Text>
    </Alert>
  )
}

const Problems = ({ of }: { of: UnanswerableEntitlement }): ReactNode => (
  <ul className={classes.problems}>
    {merged(of.problems).map((problem) => (
      <li key={`${problem.policyId} ${problem.place} ${problem.emergency} ${problem.why}`}>
        <Problem entitlement={of} problem={problem} />
      </li>
    ))}
  </ul>
)

/** Rules of a policy may lead to several lists with the same step. A problem with it is shown once. */
function merged(problems: readonly UnanswerableProblem[]): UnanswerableProblem[] {
  const same = Map.groupBy(problems, ({ policyId, place, emergency, why }) => [policyId, place, emergency, why].join())
  return [...same.values()].flatMap((all) => {
    const [first] = all
    if (!first) return []
    const isAlways = all.some(({ conditions }) => conditions.length === 0)
    return [{ ...first, conditions: isAlways ? [] : [...new Set(all.flatMap(({ conditions }) => conditions))] }]
  })
}

const insteadWords: Readonly<Partial<Record<UnanswerableProblem['instead'], string>>> = {
  UNANSWERABLE_INSTEAD_FALLBACK: 'Until then, the fallback of the step decides.',
  UNANSWERABLE_INSTEAD_SUPER_ADMINISTRATORS: 'Until then, Super Administrators decide.',
  UNANSWERABLE_INSTEAD_STUCK: 'Until then, requests get stuck.',
  UNANSWERABLE_INSTEAD_REFUSED: 'Until then, requests are refused.',
}

type ProblemProps = { entitlement: UnanswerableEntitlement; problem: UnanswerableProblem }

const Problem = ({ entitlement, problem }: ProblemProps): ReactNode => (
  <>
    <div>
      {problem.policyId && (
        <>
          {problem.place > 0 && `Step ${problem.place} of `}
          <Link to="/policies/$policyId" params={{ policyId: problem.policyId }} className="link">
            {problem.policyName || 'the policy'}
          </Link>
          {problem.emergency && ', for emergencies'}:{' '}
        </>
      )}
      {problem.why}
    </div>
    {problem.conditions.length > 0 && (
      <div className={classes.quiet}>
        Where{' '}
        {problem.conditions.map((condition, place) => (
          <span key={condition}>
            {place > 0 && ', '}
            <Code>{condition}</Code>
          </span>
        ))}
      </div>
    )}
    <div className={classes.quiet}>
      <Hint entitlement={entitlement} reason={problem.reason} /> {insteadWords[problem.instead]}
    </div>
  </>
)

type HintProps = { entitlement: UnanswerableEntitlement; reason: UnanswerableProblem['reason'] }

/** How to fix it, with a link to the page. */
function Hint({ entitlement: { appId, appEntitlementId }, reason }: HintProps): ReactNode {
  const app = `/apps/${appId}`
  const entitlement = `${app}/entitlements/${appEntitlementId}`
  const to = (href: string, words: string): ReactNode => (
    <Link to={href} className="link">
      {words}
    </Link>
  )
  switch (reason) {
    case 'UNANSWERABLE_REASON_MANAGER_MISSING':
      return <>Import a manager for these people, or add a fallback to the step.</>
    case 'UNANSWERABLE_REASON_GROUP_EMPTY':
      return <>Grant someone the entitlement whose members decide, or add a fallback to the step.</>
    case 'UNANSWERABLE_REASON_OWNER_MISSING':
    case 'UNANSWERABLE_REASON_OWNER_DISABLED':
      return (
        <>
          Add an owner of {to(`${app}/owners`, 'the app')} or {to(`${entitlement}/owners`, 'the entitlement')}, or add a
          fallback to the step.
        </>
      )
    case 'UNANSWERABLE_REASON_USERS_DISABLED':
      return <>Select other people in the step.</>
    case 'UNANSWERABLE_REASON_EXPRESSION_FAILED':
    case 'UNANSWERABLE_REASON_EXPRESSION_NAMES_NOBODY':
      return <>Correct the expression of the step, or add a fallback to it.</>
    case 'UNANSWERABLE_REASON_SELF_APPROVAL_NOT_ALLOWED':
      return <>Choose another approver for the step.</>
    case 'UNANSWERABLE_REASON_TOO_MANY_PEOPLE':
      return <>Select fewer people: at most 128 can be asked.</>
    case 'UNANSWERABLE_REASON_WEBHOOK_MISSING':
      return <>Choose another webhook for the step.</>
    case 'UNANSWERABLE_REASON_POLICY_MISSING':
      return <>Choose {to(`${entitlement}/requests`, 'another policy')} for the entitlement.</>
    case 'UNANSWERABLE_REASON_ROUTING_FAILED':
      return <>Correct {to(`${app}/requests`, 'the routing rule of the app')}.</>
    case 'UNANSWERABLE_REASON_UNSPECIFIED':
      return null
  }
}
