import { Button, Group, Textarea } from '@mantine/core'
import { type ReactNode, useEffect, useRef } from 'react'
import { ApiError } from '#client/api-error.ts'
import { problemOf } from '../client/problem.ts'
import { type FindValues, useCompletion } from './completion.tsx'
import classes from './expression-field.module.css'

type ExpressionFieldProps = {
  label?: string
  description: string
  placeholder: string
  /** What can be written, such as `subject.email`: offered while it is typed. */
  names: readonly string[]
  /** Finds the possible values of a text, such as the existing departments: offered while it is typed. */
  values?: FindValues | undefined
  /** How many lines are there from the beginning. */
  lines?: number
  value: string
  onChange: (value: string) => void
  /** What the API answered about this very text. */
  error: unknown
  /** What the API calls the field. */
  field: string
  isReadOnly: boolean
  isAutoFocused?: boolean
}

type Place = { line: number; column: number }

/** The place of the API's error; lines and columns from 1, columns in characters. */
function placeOf(error: unknown): Place | null {
  if (!(error instanceof ApiError)) return null
  const { line, column } = error.metadata
  return line && column ? { line: Number(line), column: Number(column) } : null
}

/** How many units of the text lie before a place. */
function offsetOf(text: string, { line, column }: Place): number {
  const lines = text.split('\n')
  const before = lines.slice(0, line - 1).reduce((sum, each) => sum + each.length + 1, 0)
  return (
    before +
    Array.from(lines[line - 1] ?? '')
      .slice(0, column - 1)
      .join('').length
  )
}

/** An expression in CEL, and what is wrong with it at the place where it is wrong. */
export function ExpressionField({
  label = 'Expression',
  value,
  onChange,
  error,
  field,
  names,
  values,
  lines = 4,
  isReadOnly,
  isAutoFocused = false,
  ...words
}: ExpressionFieldProps): ReactNode {
  const input = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    if (isAutoFocused) input.current?.focus()
  }, [isAutoFocused])
  const completion = useCompletion({ input, names, values, value, onChange })
  const problem = problemOf(error, field)
  const place = problem ? placeOf(error) : null
  return (
    <div>
      <div className={classes.field}>
        <Textarea
          {...words}
          label={label}
          ref={input}
          autosize
          minRows={lines}
          maxRows={18}
          spellCheck={false}
          autoComplete="off"
          autoCapitalize="off"
          readOnly={isReadOnly}
          value={value}
          error={problem}
          classNames={{ input: classes.input }}
          {...(isReadOnly ? { onChange: () => {} } : completion.of)}
        />
        {completion.list}
      </div>
      {place && (
        <Group gap="sm" align="flex-start" wrap="nowrap" mt={6}>
          <Excerpt text={value} place={place} />
          <Button
            size="compact-xs"
            variant="default"
            onClick={() => {
              const at = offsetOf(value, place)
              input.current?.focus()
              input.current?.setSelectionRange(at, at)
            }}
          >
            Go there
          </Button>
        </Group>
      )}
    </div>
  )
}

const shownBefore = 36
const shownAfter = 24

/** The line in question, with a mark under the character; only the part around it where it is long. */
function Excerpt({ text, place: { line, column } }: { text: string; place: Place }): ReactNode {
  const characters = Array.from(text.split('\n')[line - 1] ?? '')
  const from = Math.max(0, column - 1 - shownBefore)
  const before = `${from > 0 ? '…' : ''}${characters.slice(from, column - 1).join('')}`
  const at = characters[column - 1] ?? ' '
  const rest = characters.slice(column, column + shownAfter)
  const after = `${rest.join('')}${column + shownAfter < characters.length ? '…' : ''}`
  return (
    <pre className={classes.excerpt} aria-hidden>
      <span className={classes.line}>{line}</span>
      {before}
      <mark className={classes.mark}>{at}</mark>
      {after}
    </pre>
  )
}
