import type { AttentionItem } from '../client/attention.ts'
import { attentionTitle } from '../parts/attention-words.ts'

export type Badge = {
  text: string
  /** Everything that it counts, as text: shown on hover, and read by screen readers if there is only one. */
  title: string
  /** What a screen reader says after the number. */
  unseen: string
}

/** The number beside a page that counts these kinds; null where there is nothing to count. */
export function badgeOf(kinds: readonly string[], items: readonly AttentionItem[]): Badge | null {
  const own = items.filter(({ kind }) => kinds.includes(kind.replace('ATTENTION_KIND_', '')))
  if (own.length === 0) return null
  const sum = own.reduce((total, { count }) => total + count, 0)
  const number = `${sum.toLocaleString()}${own.some(({ isMore }) => isMore) ? '+' : ''}`
  const title = own.map(attentionTitle).join(', ')
  const [only] = own
  const unseen = own.length === 1 && only ? attentionTitle(only).slice(number.length) : ` need attention: ${title}`
  return { text: number, title, unseen }
}
