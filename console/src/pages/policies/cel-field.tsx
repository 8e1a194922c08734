import { Textarea } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { policyValidateValidateCEL } from '#client/api/operations.ts'
import { read } from '../../client/queries.ts'
import classes from './cel-field.module.css'

type CelFieldProps = {
  label: string
  description: string
  placeholder: string
  value: string
  onChange: (value: string) => void
  isReadOnly: boolean
  /** The API's error when it was saved. */
  error?: string | undefined
}

const typingMs = 400
const shownMax = 5

/** An expression of a policy. Errors are shown under it while it is edited. */
export function CelField({ value, onChange, isReadOnly, error, ...words }: CelFieldProps): ReactNode {
  const [text] = useDebouncedValue(value, typingMs)
  const { data } = useQuery({
    ...read(policyValidateValidateCEL, { body: { text } }),
    enabled: text.trim() !== '' && !isReadOnly,
  })
  const markers = text === value ? (data?.markers ?? []) : []
  const isGood = text === value && data !== undefined && markers.length === 0 && value.trim() !== ''
  return (
    <div>
      <Textarea
        {...words}
        autosize
        minRows={1}
        maxRows={10}
        spellCheck={false}
        autoComplete="off"
        autoCapitalize="off"
        readOnly={isReadOnly}
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
        error={markers.length > 0 || error ? (markers.length === 0 ? error : true) : undefined}
        classNames={{ input: classes.input }}
      />
      <div aria-live="polite">
        {markers.length > 0 && (
          <ul className={classes.markers}>
            {markers.slice(0, shownMax).map(({ message, startLineNumber, startColumn }) => (
              <li key={`${startLineNumber}:${startColumn} ${message}`} className={classes.marker}>
                <span className={classes.where}>
                  Line {startLineNumber}, column {startColumn}:
                </span>{' '}
                {message}
              </li>
            ))}
          </ul>
        )}
        {isGood && !isReadOnly && <p className={classes.good}>Valid</p>}
      </div>
    </div>
  )
}
