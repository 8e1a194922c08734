import { Badge } from '@mantine/core'
import type { ReactNode } from 'react'
import type { AppEntitlementAutomation, AutomationState } from '#client/api/types.ts'
import { RelativeTime } from '../../parts/relative-time.tsx'
import { Summary } from '../../parts/summary.tsx'
import { Breaker } from './breaker.tsx'
import type { Of } from './reads.ts'
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
