import { Group, NativeSelect, NumberInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { type DurationUnit, durationIn, durationUnits, durationWords } from './durations.ts'

type DurationFieldProps = {
  label: string
  description?: string
  /** As the API has it, as in `7200s`; null is without an end. */
  value: string | null
  onChange: (value: string | null) => void
  /** The longest that is allowed; null where there is no limit, and then an end is not required either. */
  max: string | null
  /** What it means that nothing is chosen, where there is no limit: "No end" by default. */
  without?: string
  isReadOnly?: boolean
  error?: string | undefined
}

const hour = 3600
const day = 24 * hour
const usual = [hour, 4 * hour, 8 * hour, day, 7 * day, 30 * day, 90 * day, 365 * day]
const secondsOf = (duration: string): number => Number.parseInt(duration, 10)

/** How long: a usual length, or any other up to the limit. */
export function DurationField({
  label,
  description,
  value,
  onChange,
  max,
  without = 'No expiry',
  isReadOnly = false,
  error,
}: DurationFieldProps): ReactNode {
  const limit = max === null ? Number.POSITIVE_INFINITY : secondsOf(max)
  const lengths = [...new Set([...usual.filter((seconds) => seconds < limit), ...(max === null ? [] : [limit])])]
  const isUsual = value === null ? max === null : lengths.includes(secondsOf(value))
  const [isOther, setOther] = useState(!isUsual)
  const { amount, unit } = durationIn(value ?? `${day}s`)
  const [shownUnit, setShownUnit] = useState<DurationUnit>(unit)
  const size = durationUnits.find(([name]) => name === shownUnit)?.[1] ?? 1
  const isTooLong = value !== null && secondsOf(value) > limit
  const problem = isTooLong && max !== null ? `At most ${durationWords(max)}.` : error
  return (
    <div>
      <NativeSelect
        label={label}
        description={description ?? (max === null ? undefined : `At most ${durationWords(max)}.`)}
        value={isOther ? 'other' : (value ?? '')}
        disabled={isReadOnly}
        onChange={({ currentTarget: { value: picked } }) => {
          setOther(picked === 'other')
          if (picked !== 'other') onChange(picked || null)
          else if (value === null) onChange(`${Math.min(day, limit)}s`)
        }}
        data={[
          ...(max === null ? [{ value: '', label: without }] : []),
          ...lengths.map((seconds) => ({
            value: `${seconds}s`,
            label: `${durationWords(`${seconds}s`)}${seconds === limit ? ' (maximum)' : ''}`,
          })),
          { value: 'other', label: 'Custom' },
        ]}
        error={isOther ? undefined : problem}
      />
      {isOther && (
        <Group gap="xs" mt="xs" align="flex-start" wrap="nowrap">
          <NumberInput
            aria-label={`${label}: amount`}
            disabled={isReadOnly}
            min={1}
            allowDecimal={false}
            allowNegative={false}
            value={size === 1 || secondsOf(value ?? '0s') % size === 0 ? secondsOf(value ?? '0s') / size : amount}
            onChange={(count) => onChange(Number(count) > 0 ? `${Math.round(Number(count) * size)}s` : '0s')}
            error={problem}
          />
          <NativeSelect
            aria-label={`${label}: unit`}
            disabled={isReadOnly}
            value={shownUnit}
            onChange={({ currentTarget: { value: picked } }) => {
              const next = durationUnits.find(([name]) => name === picked)
              if (!next) return
              setShownUnit(next[0])
              onChange(`${Math.max(1, Math.round(secondsOf(value ?? '0s') / size)) * next[1]}s`)
            }}
            data={durationUnits.filter(([name]) => name !== 'seconds').map(([name]) => name)}
          />
        </Group>
      )}
    </div>
  )
}

/** Whether a length can be sent: it is one, and not longer than the limit. */
export const isLength = (value: string | null, max: string | null): boolean =>
  value === null ? max === null : secondsOf(value) > 0 && (max === null || secondsOf(value) <= secondsOf(max))
