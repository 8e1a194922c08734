import { Textarea, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'

type FieldProps = {
  value: string
  onChange: (value: string) => void
  error?: string | undefined
  description?: string
  placeholder?: string
}

/** What something is called: where a form begins. */
export const NameField = ({ onChange, ...props }: FieldProps): ReactNode => (
  <TextInput
    {...props}
    label="Name"
    required
    maxLength={200}
    data-autofocus
    onChange={({ currentTarget: { value } }) => onChange(value)}
  />
)

/** What it is for. */
export const DescriptionField = ({ onChange, ...props }: FieldProps): ReactNode => (
  <Textarea
    {...props}
    label="Description"
    autosize
    minRows={2}
    maxRows={6}
    maxLength={10_000}
    onChange={({ currentTarget: { value } }) => onChange(value)}
  />
)
