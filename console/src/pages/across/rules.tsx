import { Badge } from '@mantine/core'
import { IconBolt } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { rulesList } from '#client/api/operations.ts'
import type { ListedRule } from '#client/api/types.ts'
import { useSession } from '../../client/session.ts'
import { AppFilter } from '../../parts/app-filter.tsx'
import { ChoiceFilter } from '../../parts/choice-filter.tsx'
import { DataList } from '../../parts/data-list.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Named } from '../../parts/named.tsx'
import { Page } from '../../parts/page.tsx'
import { placeOfRun } from '../../parts/source-place.ts'
import { ChooseEntitlement } from './choose-entitlement.tsx'
import classes from './rules.module.css'

const states: Readonly<Record<string, readonly [label: string, color: string]>> = {
  RULE_STATE_ACTIVE: ['Active', 'teal'],
  RULE_STATE_PAUSED: ['Paused', 'orange'],
  RULE_STATE_FAILING: ['Failing', 'red'],
}

const pausedWords: Readonly<Record<string, string>> = {
  held: 'A run waits for confirmation',
  cancelled: 'A run was cancelled',
  undone: 'A run was undone',
  costly: 'The rule takes too much work',
}

const runWords: Readonly<Record<string, string>> = {
  running: 'Running',
  held: 'Waiting for confirmation',
  done: 'Done',
  failed: 'Failed',
  cancelled: 'Cancelled',
  superseded: 'Superseded',
}

function CreateRule(): ReactNode {
  const { may } = useSession()
  if (!may('automations.write') || !may('entitlements.read')) return null
  return (
    <ChooseEntitlement
      label="Create rule"
      about="Choose the entitlement that the rule grants. If it has a rule already, you can edit it."
      to="/automation#new"
    />
  )
}

/** The rules of all apps. */
export const Rules = (): ReactNode => (
  <Page
    about="A rule grants an entitlement to everyone who matches, and revokes what it granted when they no longer match."
    actions={<CreateRule />}
  >
    <DataList
      caption="Rules of all apps"
      operation={rulesList}
      kind="rules"
      input={({ filter, orderBy, pageSize, pageToken }) => ({
        query: {
          app_id: filter('app'),
          state: (filter('state') ? `RULE_STATE_${filter('state').toUpperCase()}` : 'RULE_STATE_UNSPECIFIED') as never,
          order_by: orderBy,
          page_size: pageSize,
          page_token: pageToken,
        },
      })}
      rows={({ list }) => list}
      keyOf={({ appId, appEntitlementId }) => `${appId} ${appEntitlementId}`}
      filters={<Filters />}
      columns={[
        {
          header: 'Rule',
          sort: 'name',
          cell: (rule) => (
            <Named
              label={rule.displayName || rule.appEntitlementDisplayName || rule.appEntitlementId}
              to={`/apps/${rule.appId}/entitlements/${rule.appEntitlementId}/automation`}
              about={
                rule.expression ? (
                  <code className={classes.expression}>{rule.expression}</code>
                ) : (
                  'Members of other entitlements'
                )
              }
            />
          ),
        },
        {
          header: 'Entitlement',
          sort: 'entitlement',
          width: '20%',
          cell: ({ appId, appEntitlementId, appEntitlementDisplayName, appDisplayName }) => (
            <Named
              label={appEntitlementDisplayName || appEntitlementId}
              to={`/apps/${appId}/entitlements/${appEntitlementId}`}
              about={appDisplayName}
            />
          ),
        },
        { header: 'State', sort: 'state', width: '9rem', cell: (rule) => <State rule={rule} /> },
        { header: 'Last run', sort: 'run', width: '11rem', cell: (rule) => <LastRun rule={rule} /> },
        {
          header: 'Added',
          sort: 'added',
          width: '5rem',
          isNumber: true,
          cell: ({ lastGainedCount: count }) => count.toLocaleString(),
        },
        {
          header: 'Removed',
          sort: 'removed',
          width: '5.5rem',
          isNumber: true,
          cell: ({ lastLostCount: count }) => count.toLocaleString(),
        },
      ]}
      empty={{
        icon: IconBolt,
        title: 'No rules',
        children: 'Create a rule on the page of an entitlement.',
      }}
    />
  </Page>
)

const State = ({ rule: { state, pausedReason } }: { rule: ListedRule }): ReactNode => {
  const [label, color] = states[state] ?? ['Unknown', 'gray']
  return (
    <Badge component="span" color={color} title={pausedWords[pausedReason]}>
      {label}
    </Badge>
  )
}

const LastRun = ({ rule }: { rule: ListedRule }): ReactNode =>
  rule.lastRunId ? (
    <Named
      label={runWords[rule.lastRunStatus] ?? rule.lastRunStatus}
      to={placeOfRun({ ...rule, id: rule.lastRunId }).to}
      about={<Moment at={rule.lastRunAt} />}
    />
  ) : (
    'Never'
  )

const stateWords = Object.fromEntries(
  Object.entries(states).map(([name, [label]]) => [name.slice('RULE_STATE_'.length).toLowerCase(), label]),
)

function Filters(): ReactNode {
  const { may } = useSession()
  return (
    <>
      {may('apps.read') && <AppFilter />}
      <ChoiceFilter name="state" label="State" any="Any state" words={stateWords} />
    </>
  )
}
