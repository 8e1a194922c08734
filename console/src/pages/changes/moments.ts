import { useMemo } from 'react'
import { useAsOf } from '../../parts/as-of.tsx'
import { useListState } from '../../parts/list-state.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

export const presets = [
  { key: '24h', label: '24 hours', ms: dayMs },
  { key: '7d', label: '7 days', ms: 7 * dayMs },
  { key: '30d', label: '30 days', ms: 30 * dayMs },
] as const
export const ownKey = 'own'
const presetDefault = presets[1]

const isMoment = (text: string): boolean => text !== '' && !Number.isNaN(new Date(text).getTime())

export type Moments = {
  from: string
  /** Empty is now. */
  to: string
  /** The preset that is chosen, or `own`. */
  chosen: string
}

/**
 * The two moments that the address names: `?last=30d`, or `?from=…&to=…`. In the past the second is the moment that the console
 * is asked about. A relative one is taken once, so that the pages of a list are pages of one list.
 */
export function useMoments(): Moments {
  const { filter } = useListState()
  const asOf = useAsOf()
  const [last, from, to] = [filter('last'), filter('from'), filter('to')]
  return useMemo(() => {
    const second = isMoment(to) ? to : asOf
    if (isMoment(from)) return { from, to: second, chosen: ownKey }
    const preset = presets.find(({ key }) => key === last) ?? presetDefault
    const until = second === '' ? Date.now() : new Date(second).getTime()
    return { from: new Date(until - preset.ms).toISOString(), to: second, chosen: preset.key }
  }, [last, from, to, asOf])
}
