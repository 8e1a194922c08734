import type { AttentionItem, AttentionKind } from '../client/attention.ts'
import { attentionTitle } from '../parts/attention-words.ts'

type Short = Exclude<AttentionKind, 'ATTENTION_KIND_UNSPECIFIED'> extends `ATTENTION_KIND_${infer Name}` ? Name : never

/** Which numbers stand beside which page of the navigation, by its address. */
const kindsBeside: Readonly<Record<string, readonly Short[]>> = {
  '/decide': ['DECISIONS_WAITING'],
  '/tasks': ['TASKS_STUCK', 'REQUESTS_WAITING', 'CHANGES_WAITING'],
  '/policies': ['ENTITLEMENTS_WITHOUT_APPROVER'],
  '/webhooks': ['WEBHOOKS_FAILING'],
  '/users': ['LEAVERS_WITH_ACCESS'],
  '/rules': ['RUNS_HELD', 'RULES_FAILING', 'RULES_PAUSED'],
  '/accounts': ['ACCOUNTS_WITHOUT_OWNER'],
  '/drift': ['DRIFT'],
  '/directories': ['DIRECTORIES_HELD', 'DIRECTORIES_FAILING', 'DIRECTORY_CONFLICTS', 'DIRECTORY_TOKENS_EXPIRING'],
  '/connectors': ['SYNCS_HELD', 'SYNCS_FAILING', 'CONNECTOR_CREDENTIALS_EXPIRING'],
  '/log': ['EXPORTS_FAILING'],
  '/subscriptions': ['SUBSCRIPTIONS_FAILING'],
  '/jobs': ['JOBS_STUCK'],
}

export type Badge = {
  text: string
  /** All that it counts, in words: shown by the pointer, and read where there is only one. */
  title: string
  /** What a screen reader says after the number. */
  unseen: string
  /** What the caller is asked to do, rather than what is wrong. */
  isWork: boolean
}

/** The number beside a page; null where there is nothing to count. */
export function badgeOf(to: string, items: readonly AttentionItem[]): Badge | null {
  const kinds: readonly string[] = kindsBeside[to] ?? []
  const own = items.filter(({ kind }) => kinds.includes(kind.replace('ATTENTION_KIND_', '')))
  if (own.length === 0) return null
  const sum = own.reduce((total, { count }) => total + count, 0)
  const number = `${sum.toLocaleString()}${own.some(({ isMore }) => isMore) ? '+' : ''}`
  const title = own.map(attentionTitle).join(', ')
  const [only] = own
  const unseen = own.length === 1 && only ? attentionTitle(only).slice(number.length) : ` need attention: ${title}`
  return { text: number, title, unseen, isWork: to === '/decide' }
}
