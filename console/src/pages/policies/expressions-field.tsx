import { Button, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { CelField } from './cel-field.tsx'

type ExpressionsFieldProps = {
  expressions: readonly string[]
  onChange: (expressions: string[]) => void
  isReadOnly: boolean
  /** The API's error for one of them when they were saved; for all of them, without a place. */
  problem: (place: string) => string | undefined
}

const expressionsMax = 8

/** Expressions that name people, in order: the first that names anyone counts. */
export function ExpressionsField({ expressions, onChange, isReadOnly, problem }: ExpressionsFieldProps): ReactNode {
  const shown = expressions.length > 0 ? expressions : ['']
  const isOnly = shown.length === 1
  return (
    <Stack gap="xs">
      {shown.map((text, at) => (
        <CelField
          key={at}
          label={isOnly ? 'Expression' : `Expression ${at + 1}`}
          description={
            at === 0
              ? 'A CEL expression that returns a user or a list of users.'
              : 'Used if the expressions before it return nobody. Clear it to remove it.'
          }
          placeholder="c1.directory.users.v1.GetManagers(subject)"
          value={text}
          onChange={(value) => {
            const changed = shown.map((before, place) => (place === at ? value : before))
            onChange(value === '' && at > 0 ? changed.filter((_, place) => place !== at) : changed)
          }}
          isReadOnly={isReadOnly}
          error={problem(`[${at}]`) ?? (isOnly ? problem('') : undefined)}
        />
      ))}
      {!isReadOnly && shown.length < expressionsMax && shown.every((text) => text.trim() !== '') && (
        <Button variant="subtle" size="compact-sm" w="fit-content" onClick={() => onChange([...shown, ''])}>
          Add a fallback expression
        </Button>
      )}
    </Stack>
  )
}
