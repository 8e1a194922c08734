import { Group, NativeSelect, NumberInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { type DurationUnit, durationIn, durationUnits } from './durations.ts'

type LengthFieldProps = {
  label: string
  /** As the API has it, as in `7200s`. */
  value: string
  onChange: (value: string) => void
  isReadOnly: boolean
  error?: string | undefined
}

/** A length of time that is always set: a number, and its unit, as in 7 days. */
export function LengthField({ label, value, onChange, isReadOnly, error }: LengthFieldProps): ReactNode {
  const [unit, setUnit] = useState<DurationUnit>(() => durationIn(value).unit)
  const sizeOf = (name: string): number => durationUnits.find(([each]) => each === name)?.[1] ?? 1
  const amount = Number.parseInt(value, 10) / sizeOf(unit)
  return (
    <Group gap="xs" align="flex-end" wrap="nowrap">
      <NumberInput
        label={label}
        flex={1}
        min={1}
        allowDecimal={false}
        allowNegative={false}
        readOnly={isReadOnly}
        value={amount}
        onChange={(count) => onChange(`${Math.round(Number(count) * sizeOf(unit))}s`)}
        error={error}
      />
      <NativeSelect
        aria-label={`Unit: ${label}`}
        w="8rem"
        disabled={isReadOnly}
        value={unit}
        onChange={({ currentTarget: { value: picked } }) => {
          const next = durationUnits.find(([name]) => name === picked)?.[0] ?? unit
          setUnit(next)
          onChange(`${Math.round(amount * sizeOf(next))}s`)
        }}
        data={durationUnits.map(([name]) => name).filter((name) => name !== 'seconds' || unit === 'seconds')}
      />
    </Group>
  )
}
