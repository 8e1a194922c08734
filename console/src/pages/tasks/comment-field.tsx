import { Textarea } from '@mantine/core'
import type { ReactNode } from 'react'

const commentMax = 10_000

type CommentFieldProps = {
  isRequired: boolean
  description: string
  /** It has the focus when the dialog opens. */
  isFirst: boolean
  value: string
  onChange: (comment: string) => void
  error?: string | undefined
}

/** The comment of a decision: a reason if one is required. */
export const CommentField = ({ isRequired, isFirst, onChange, ...field }: CommentFieldProps): ReactNode => (
  <Textarea
    {...field}
    label={isRequired ? 'Reason' : 'Comment'}
    required={isRequired}
    autosize
    minRows={2}
    maxRows={8}
    maxLength={commentMax}
    {...(isFirst && { 'data-autofocus': true })}
    onChange={({ currentTarget: { value } }) => onChange(value)}
  />
)
