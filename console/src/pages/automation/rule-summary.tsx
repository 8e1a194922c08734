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
          ['Circuit breaker', !mayChange && state && (state.breakerOff ? 'off' : 'on')],
          [
            'Error',
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
    done: ({ state: now }) => (now?.breakerOff ? 'Circuit breaker turned off' : 'Circuit breaker turned on'),
  })
  return (
    <div>
      <Switch
        size="sm"
        label="Circuit breaker"
        description="Holds a run that would remove more than 20% of the members (if there are at least 20), or add more than 20% of all people."
        checked={!state.breakerOff}
        disabled={set.isPending}
        onChange={({ currentTarget: { checked } }) => set.mutate({ path: pathOf(of), body: { breakerOff: !checked } })}
      />
      <ErrorNote error={set.error} />
    </div>
  )
}
