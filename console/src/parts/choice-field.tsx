import { SegmentedControl, type SegmentedControlProps } from '@mantine/core'
import type { ReactNode } from 'react'
import { Label } from './label.tsx'

type ChoiceFieldProps<Value extends string> = SegmentedControlProps<Value> & { label: string }

/** One of a few, all of them in sight. */
export const ChoiceField = <Value extends string>({ label, ...props }: ChoiceFieldProps<Value>): ReactNode => (
  <Label text={label}>{(id) => <SegmentedControl aria-labelledby={id} {...props} />}</Label>
)
