import { useQuery } from '@tanstack/react-query'
import { homeListAttention } from '#client/api/operations.ts'
import type { ReplyOf } from '#client/operation.ts'
import { read } from './queries.ts'

export type AttentionItem = ReplyOf<typeof homeListAttention>['list'][number]
export type AttentionKind = AttentionItem['kind']

const againMs = 60_000

/**
 * What needs the caller's attention: for the page at the start and for the numbers beside the pages, in one request. Asked for again once
 * a minute while the window is seen, and after each change.
 */
export const useAttention = () =>
  useQuery({ ...read(homeListAttention, {}), staleTime: againMs, refetchInterval: againMs })

export const countWords = ({ count, isMore }: { count: number; isMore: boolean }): string =>
  `${count.toLocaleString()}${isMore ? '+' : ''}`
