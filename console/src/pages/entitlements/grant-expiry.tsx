import { Group, Input, NativeSelect, NumberInput, SegmentedControl } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import type { AppEntitlement } from '#client/api/types.ts'
import { type DurationUnit, durationIn, durationUnits } from '../../parts/durations.ts'
import { Label } from '../../parts/label.tsx'

/** When manual grants end, while it is edited. */
export function useGrantExpiry(entitlement: AppEntitlement | undefined) {
  const before = entitlement?.durationGrant ? durationIn(entitlement.durationGrant) : null
  // Not set is not the same as no expiry: if the entitlement has no setting, the defaults of its app apply.
  const [lasts, setLasts] = useState<'unsaid' | 'good' | 'time'>(
    before ? 'time' : entitlement && !entitlement.durationUnset ? 'unsaid' : 'good',
  )
  const [amount, setAmount] = useState<number | string>(before?.amount ?? 90)
  const [unit, setUnit] = useState<DurationUnit>(before?.unit ?? 'days')
  const unitSeconds = durationUnits.find(([each]) => each === unit)?.[1] ?? 1
  const terms = {
    durationGrant: lasts === 'time' ? `${Number(amount) * unitSeconds}s` : null,
    durationUnset: lasts === 'good' ? {} : null,
  }
  const isIncomplete = lasts === 'time' && !(Number(amount) > 0)
  return { lasts, setLasts, amount, setAmount, unit, setUnit, terms, isIncomplete }
}

type GrantExpiryProps = Omit<ReturnType<typeof useGrantExpiry>, 'terms' | 'isIncomplete'> & {
  error: string | undefined
}

export const GrantExpiry = (props: GrantExpiryProps): ReactNode => {
  const { lasts, setLasts, amount, setAmount, unit, setUnit, error } = props
  return (
    <Label text="Expiry of manual grants">
      {(id) => (
        <>
          <Group gap="xs">
            <SegmentedControl
              aria-labelledby={id}
              value={lasts}
              onChange={setLasts}
              data={[
                { value: 'unsaid', label: 'App default' },
                { value: 'good', label: 'Never' },
                { value: 'time', label: 'After a time' },
              ]}
            />
            {lasts === 'time' && (
              <>
                <NumberInput
                  aria-label="Duration"
                  w="6rem"
                  min={1}
                  allowDecimal={false}
                  value={amount}
                  onChange={setAmount}
                />
                <NativeSelect
                  aria-label="Unit"
                  value={unit}
                  onChange={({ currentTarget: { value } }) => setUnit(value as DurationUnit)}
                  data={durationUnits.map(([each]) => each)}
                />
              </>
            )}
          </Group>
          {error && (
            <Input.Error mt={4} role="alert">
              {error}
            </Input.Error>
          )}
        </>
      )}
    </Label>
  )
}
