import { Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Field } from '#client/api/types.ts'
import { Question } from './question.tsx'

export type Answers = Readonly<Record<string, unknown>>

type FormFieldsProps = {
  fields: readonly Field[]
  answers: Answers
  onChange: (answers: Answers) => void
  /** The API's error for an answer, by the name of its field. */
  problem: (name: string) => string | undefined
}

const nothing = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  (Array.isArray(value) && value.length === 0) ||
  (typeof value === 'object' && !Array.isArray(value) && Object.keys(value).length === 0)

/** The required fields that have no answer. */
export const unanswered = (fields: readonly Field[], answers: Answers): Field[] =>
  fields.filter(({ name, required, boolField }) => required && !boolField && nothing(answers[name]))

/** The default answers of a form. */
export const standardAnswers = (fields: readonly Field[]): Answers =>
  Object.fromEntries(
    fields.map((field): [string, unknown] => [field.name, standardOf(field)]).filter(([, value]) => !nothing(value)),
  )

function standardOf({ stringField, boolField, int64Field, stringSliceField, stringMapField }: Field): unknown {
  if (stringField?.dateField?.defaultToToday) return new Date().toISOString().slice(0, 'YYYY-MM-DD'.length)
  if (stringField) return stringField.defaultValue
  if (boolField) return boolField.defaultValue
  if (int64Field) return int64Field.defaultValue
  if (stringMapField) return stringMapField.defaultValue
  return stringSliceField?.defaultValues
}

/** The questions of a form. */
export const FormFields = ({ fields, answers, onChange, problem }: FormFieldsProps): ReactNode => (
  <Stack>
    {fields.map((field) => (
      <Question
        key={field.name}
        field={field}
        value={answers[field.name]}
        onChange={(value) => onChange({ ...answers, [field.name]: value })}
        error={problem(field.name)}
      />
    ))}
  </Stack>
)
