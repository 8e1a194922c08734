import { Textarea, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { problemOf } from '../../client/problem.ts'
import { eventNames } from '../../parts/cel-names.ts'
import { ExpressionField } from '../../parts/expression-field.tsx'
import { NameField } from '../../parts/name-fields.tsx'

export type SubscriptionValues = { displayName: string; url: string; kinds: string; filter: string }

/** One per line, or with commas between them. */
export const kindsIn = (text: string): string[] =>
  text
    .split(/[\s,]+/)
    .map((kind) => kind.trim())
    .filter((kind) => kind !== '')

type FieldsProps = {
  values: SubscriptionValues
  onChange: (values: SubscriptionValues) => void
  error: unknown
  /** What the API has before the names of the fields. */
  at?: string
}

export const fieldNames = (at: string): string[] =>
  ['displayName', 'url', 'eventKinds', 'filter'].map((name) => at + name)

/** What a subscription sends, and where. */
export function SubscriptionFields({ values, onChange, error, at = '' }: FieldsProps): ReactNode {
  const set = (changed: Partial<SubscriptionValues>): void => onChange({ ...values, ...changed })
  const kindProblem =
    problemOf(error, `${at}eventKinds`) ??
    kindsIn(values.kinds)
      .map((_, place) => problemOf(error, `${at}eventKinds[${place}]`))
      .find((problem) => problem)
  return (
    <>
      <NameField
        value={values.displayName}
        onChange={(displayName) => set({ displayName })}
        error={problemOf(error, `${at}displayName`)}
      />
      <TextInput
        label="URL"
        description="Each event is sent here as a POST request."
        placeholder="https://receiver.example.com/events"
        required
        maxLength={2000}
        value={values.url}
        onChange={({ currentTarget: { value } }) => set({ url: value })}
        error={problemOf(error, `${at}url`)}
      />
      <Textarea
        label="Event kinds"
        description="One per line, each with at most one *, as in app.v1.* or denied.*. Leave it empty for all events."
        placeholder="*"
        autosize
        minRows={2}
        value={values.kinds}
        onChange={({ currentTarget: { value } }) => set({ kinds: value })}
        error={kindProblem}
      />
      <ExpressionField
        label="Filter"
        description="Optional. Only events for which this is true are sent. If it cannot be evaluated, the event is sent and marked."
        placeholder='event.resources.exists(r, r.type == "grant")'
        names={eventNames}
        lines={2}
        value={values.filter}
        onChange={(filter) => set({ filter })}
        error={error}
        field={`${at}filter`}
        isReadOnly={false}
      />
    </>
  )
}
