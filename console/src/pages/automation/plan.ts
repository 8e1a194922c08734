import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { appEntitlementsPlanAutomation } from '#client/api/operations.ts'
import type {
  AutomationExample,
  AutomationFailure,
  AutomationPlanCounts,
  AutomationPlanItem,
  PlanAutomationResponse,
} from '#client/api/types.ts'
import { ApiError } from '#client/api-error.ts'
import { read } from '../../client/queries.ts'
import { type Draft, lackOf, planOf } from './draft.ts'
import { type Of, pathOf } from './reads.ts'
import type { Outcome } from './words.ts'

export type Plan = {
  counts: AutomationPlanCounts | null
  /** The counts that are only upper bounds ("fewer than"), because the caller may not see all of the people. */
  bounded: readonly string[]
  /** How many people of the page are hidden, because the caller may not see them. */
  hidden: number
  failures: readonly AutomationFailure[]
  /** The plan grants it to so many people that an automatic run would be held. */
  isMassGain: boolean
  /** The examples of the draft, and whether it fails them. */
  examples: readonly AutomationExample[]
  /** Identifies exactly this plan; empty while it is computed. */
  fingerprint: string
  list: readonly AutomationPlanItem[]
  next: boolean
  /** It is not the first page. */
  isLater: boolean
  forth: () => void
  back: () => void
  isPending: boolean
  /** The plan that is shown belongs to an earlier draft. */
  isStale: boolean
  error: unknown
  /** The refusal is about the draft. */
  isDraftWrong: boolean
  retry: () => void
}

const typingMs = 400
const pageSize = 10

/** Shown until there is a response. */
const unanswered: PlanAutomationResponse = {
  list: [],
  counts: null,
  failures: [],
  boundedCounts: [],
  hiddenCount: 0,
  fingerprint: '',
  isMassGain: false,
  isMassLoss: false,
  examples: [],
  nextPageToken: '',
}

/** The plan of a draft, a moment after it was last changed; of the saved rule if there is no draft. */
export function usePlan(of: Of, draft: Draft | null, group: Outcome): Plan {
  const asked = draft && lackOf(draft) === null ? JSON.stringify(planOf(draft)) : ''
  const [settledFor] = useDebouncedValue(asked, typingMs)
  const isBehind = settledFor !== asked
  const isPlannable = draft === null || asked !== ''
  // The pages of one group of one draft.
  const about = `${settledFor} ${group}`
  const [pages, setPages] = useState<{ about: string; tokens: readonly string[] }>({ about, tokens: [] })
  const tokens = pages.about === about ? pages.tokens : []
  const input = (pageToken: string) => ({
    path: pathOf(of),
    body: {
      automation: settledFor === '' ? null : (JSON.parse(settledFor) as ReturnType<typeof planOf>),
      outcomes: [group],
      pageSize,
      pageToken,
    },
  })
  const isReady = isPlannable && (draft === null || settledFor !== '')
  const options = { placeholderData: keepPreviousData, enabled: isReady, staleTime: 0, refetchOnWindowFocus: false }
  // Only the first page counts, and names those for whom the rule fails.
  const first = useQuery({ ...read(appEntitlementsPlanAutomation, input('')), ...options })
  const later = useQuery({
    ...read(appEntitlementsPlanAutomation, input(tokens.at(-1) ?? '')),
    ...options,
    enabled: isReady && tokens.length > 0,
  })
  const shown = tokens.length > 0 ? later : first
  const error = isBehind ? null : (first.error ?? (tokens.length > 0 ? later.error : null))
  const isStale = isBehind || shown.isPlaceholderData || first.isPlaceholderData
  const [whole, page] = [first.data ?? unanswered, shown.data ?? unanswered]
  return {
    counts: whole.counts,
    bounded: whole.boundedCounts,
    hidden: page.hiddenCount,
    failures: whole.failures,
    isMassGain: whole.isMassGain,
    examples: whole.examples,
    fingerprint: isBehind || first.isFetching || first.isPlaceholderData || first.error ? '' : whole.fingerprint,
    list: page.list,
    next: !isStale && page.nextPageToken !== '',
    isLater: tokens.length > 0,
    forth: () => setPages({ about, tokens: [...tokens, page.nextPageToken] }),
    back: () => setPages({ about, tokens: tokens.slice(0, -1) }),
    isPending: !shown.data && shown.isPending,
    isStale,
    error,
    isDraftWrong: error instanceof ApiError && error.violations.length > 0 && draft !== null,
    retry: () => void first.refetch(),
  }
}
