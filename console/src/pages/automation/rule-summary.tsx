import { Badge, Switch } from '@mantine/core'
import type { ReactNode } from 'react'
import { appEntitlementsSetAutomationBreaker } from '#client/api/operations.ts'
import type { AppEntitlementAutomation, AutomationState } from '#client/api/types.ts'
import { useChange } from '../../client/queries.ts'
import { ErrorNote } from '../../parts/error-note.tsx'
import { RelativeTime } from '../../parts/relative-time.tsx'
import { Summary } from '../../parts/summary.tsx'
import { afterRule, type Of, pathOf } from './reads.ts'
import classes from './rule-summary.module.css'

type RuleSummaryProps = {
  of: Of
  rule: AppEntitlementAutomation
  state: AutomationState | null
  isBusy: boolean
  mayChange: boolean
}

/** How the rule is at the moment. */
export function RuleSummary({ of, rule, state, isBusy, mayChange }: RuleSummaryProps): ReactNode {
  const last = rule.lastRunStatus
  return (
    <div className={classes.summary}>
      <Summary
        facts={[
          ['Rule', state && `version ${state.ruleVersion}`],
          [
            'Last run',
            isBusy ? (
              <Badge key="last" component="span" color="ink.8">
                Running
              </Badge>
            ) : (
              last?.lastCompletedAt && <RelativeTime key="last" at={last.lastCompletedAt} />
            ),
          ],
          ['Next run', !isBusy && state?.nextRunAt && <RelativeTime key="next" at={state.nextRunAt} />],
          ['Breaker', !mayChange && state && (state.breakerOff ? 'off' : 'on')],
          [
            'Failed with',
            last?.status === 'APP_ENTITLEMENT_AUTOMATION_RUN_STATUS_FAILED' &&
              state?.heldRunId === '' &&
              last.errorMessage,
          ],
        ]}
      />
      {state && mayChange && <Breaker of={of} state={state} />}
    </div>
  )
}

function Breaker({ of, state }: { of: Of; state: AutomationState }): ReactNode {
  const set = useChange(appEntitlementsSetAutomationBreaker, {
    changes: afterRule,
    done: ({ state: now }) => (now?.breakerOff ? 'The breaker is off' : 'The breaker is on'),
  })
  return (
    <div>
      <Switch
        size="sm"
        label="Breaker"
        description="Holds a run that would take it from more than 20% of 20 members or more, or give it to more than 20% of everyone."
        checked={!state.breakerOff}
        disabled={set.isPending}
        onChange={({ currentTarget: { checked } }) => set.mutate({ path: pathOf(of), body: { breakerOff: !checked } })}
      />
      <ErrorNote error={set.error} />
    </div>
  )
}
