import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import {
  appEntitlementSearch,
  appEntitlementSearchAppEntitlementsForAppUser,
  appEntitlementSearchGrants,
  appEntitlementsCompareAutomationVersions,
  appEntitlementsExplainAutomation,
  appEntitlementsGet,
  appEntitlementsGetAutomation,
  appEntitlementsGetAutomationRun,
  appEntitlementsGetAutomationState,
  appEntitlementsListAutomationExclusions,
  appEntitlementsListAutomationRunChanges,
  appEntitlementsListAutomationRuns,
  appEntitlementsListAutomationVersions,
  appEntitlementsListUsers,
  appEntitlementsPlanAutomation,
} from '#client/api/operations.ts'
import type { AppEntitlementAutomation, AutomationState } from '#client/api/types.ts'
import { ApiError } from '#client/api-error.ts'
import { call } from '../../client/call.ts'
import { read } from '../../client/queries.ts'

export type Of = { appId: string; entitlementId: string }
export const pathOf = ({ appId, entitlementId }: Of) => ({ app_id: appId, app_entitlement_id: entitlementId })

/** What is another when a run gave or took. */
const afterRuns = [
  appEntitlementsPlanAutomation,
  appEntitlementsExplainAutomation,
  appEntitlementsListUsers,
  appEntitlementsGet,
  appEntitlementSearch,
  appEntitlementSearchGrants,
  appEntitlementSearchAppEntitlementsForAppUser,
] as const
/** What is another when a rule was saved, run, held, released or undone. */
export const afterRule = [
  appEntitlementsGetAutomation,
  appEntitlementsGetAutomationState,
  appEntitlementsListAutomationRuns,
  appEntitlementsGetAutomationRun,
  appEntitlementsListAutomationRunChanges,
  appEntitlementsListAutomationVersions,
  appEntitlementsCompareAutomationVersions,
  ...afterRuns,
] as const
export const afterExclusion = [
  appEntitlementsListAutomationExclusions,
  appEntitlementsListAutomationRuns,
  ...afterRuns,
] as const

const busyMs = 1500
const calmMs = 30_000

/** The run of a rule is under way, or is about to be. */
const isBusy = (rule: AppEntitlementAutomation | null, state: AutomationState | null): boolean =>
  rule?.lastRunStatus?.status === 'APP_ENTITLEMENT_AUTOMATION_RUN_STATUS_IN_PROGRESS' ||
  (state !== null &&
    state.paused === 'AUTOMATION_PAUSE_UNSPECIFIED' &&
    (state.nextRunAt === null || Date.parse(state.nextRunAt) <= Date.now()))

export type RuleNow = {
  /** Null where the entitlement has none; undefined until it is known. */
  rule: AppEntitlementAutomation | null | undefined
  state: AutomationState | null
  isBusy: boolean
  error: unknown
  retry: () => void
}

const noRule = (error: unknown): { AppEntitlementAutomation: null } => {
  if (error instanceof ApiError && error.reason === 'AUTOMATION_NOT_FOUND') return { AppEntitlementAutomation: null }
  throw error
}

/** The rule of an entitlement and its state; read again while a run is in progress. */
export function useRule(of: Of): RuleNow {
  const path = pathOf(of)
  const saved = useQuery({
    ...read(appEntitlementsGetAutomation, { path }),
    // That there is no rule is data: as an error it would be discarded whenever it is read again.
    queryFn: ({ signal }) => call(appEntitlementsGetAutomation, { path }, signal).catch(noRule),
    staleTime: 0,
    refetchInterval: ({ state: { data } }) => (isBusy(data?.AppEntitlementAutomation ?? null, null) ? busyMs : calmMs),
  })
  const rule = saved.data?.AppEntitlementAutomation ?? null
  const asked = useQuery({
    ...read(appEntitlementsGetAutomationState, { path }),
    enabled: rule !== null,
    refetchInterval: ({ state: { data } }) => (isBusy(rule, data?.state ?? null) ? busyMs : calmMs),
  })
  const state = rule ? (asked.data?.state ?? null) : null
  useAfterwards(isBusy(rule, state))
  return {
    rule: saved.data ? rule : undefined,
    state,
    isBusy: isBusy(rule, state),
    error: saved.error ?? (rule ? asked.error : null),
    retry() {
      void saved.refetch()
      void asked.refetch()
    },
  }
}

/** When a run that was under way is over, what it changed is read again. */
function useAfterwards(isUnderWay: boolean): void {
  const client = useQueryClient()
  const was = useRef(isUnderWay)
  useEffect(() => {
    if (was.current && !isUnderWay)
      for (const { id } of [appEntitlementsListAutomationRuns, ...afterRuns])
        void client.invalidateQueries({ queryKey: [id] })
    was.current = isUnderWay
  }, [client, isUnderWay])
}
