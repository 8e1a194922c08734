import {
  Checkbox,
  NativeSelect,
  NumberInput,
  Radio,
  Stack,
  Switch,
  TagsInput,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core'
import { type ReactNode, useState } from 'react'
import type { Field, NumberField } from '#client/api/types.ts'
import { PickedAnswer } from './picked-answer.tsx'

export type Answers = Readonly<Record<string, unknown>>

type FormFieldsProps = {
  fields: readonly Field[]
  answers: Answers
  onChange: (answers: Answers) => void
  /** What the API says is wrong with an answer, by the name of its field. */
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

/** What a form says before anybody has answered. */
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

type QuestionProps = { field: Field; value: unknown; onChange: (value: unknown) => void; error: string | undefined }

function Question({ field, value, onChange, error }: QuestionProps): ReactNode {
  const { stringField, boolField, int64Field, stringSliceField, stringMapField, required } = field
  const label = field.displayName || field.name
  const common = { label, description: field.description || undefined, required, error, readOnly: field.readOnly }
  const words = typeof value === 'string' ? value : ''
  if (boolField) {
    const Box = boolField.toggleField ? Switch : Checkbox
    const { readOnly, required: _, ...rest } = common
    return (
      <Box
        {...rest}
        disabled={readOnly}
        checked={value === true}
        onChange={({ currentTarget: { checked } }) => onChange(checked)}
      />
    )
  }
  if (int64Field)
    return (
      <NumberInput
        {...common}
        allowDecimal={false}
        placeholder={int64Field.placeholder}
        {...limitsOf(int64Field.numberField)}
        value={typeof value === 'number' || typeof value === 'string' ? value : ''}
        onChange={(number) => onChange(number === '' ? null : Number(number))}
      />
    )
  const picker = stringField?.pickerField ?? stringSliceField?.pickerField
  if (picker) {
    const isMany = Boolean(stringSliceField)
    return (
      <PickedAnswer
        label={label}
        description={field.description || undefined}
        required={required}
        error={error}
        picker={picker}
        isMany={isMany}
        ids={[value].flat().filter((id): id is string => typeof id === 'string' && id !== '')}
        onChange={(ids) => onChange(isMany ? ids : (ids[0] ?? ''))}
        isReadOnly={field.readOnly ?? false}
      />
    )
  }
  if (stringMapField)
    return <MapAnswer common={common} value={(value ?? {}) as Readonly<Record<string, unknown>>} onChange={onChange} />
  if (stringSliceField)
    return (
      <TagsInput
        {...common}
        placeholder={stringSliceField.placeholder || 'Type, then press Enter'}
        value={Array.isArray(value) ? (value as string[]) : []}
        onChange={onChange}
      />
    )
  const select = stringField?.selectField
  if (select && select.type !== 'SELECT_TYPE_DROPDOWN' && select.type !== 'SELECT_TYPE_UNSPECIFIED')
    return (
      <Radio.Group {...common} value={words} onChange={onChange}>
        <Stack gap={6} mt={4}>
          {select.options.map((option) => (
            <Radio
              key={option.value}
              value={option.value}
              label={option.displayName || option.value}
              description={option.description || undefined}
            />
          ))}
        </Stack>
      </Radio.Group>
    )
  if (select) {
    const { readOnly, ...rest } = common
    return (
      <NativeSelect
        {...rest}
        disabled={readOnly}
        value={words}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
        data={[
          { value: '', label: 'Choose…' },
          ...select.options.map((option) => ({ value: option.value, label: option.displayName || option.value })),
        ]}
      />
    )
  }
  if (stringField?.textField?.multiline)
    return (
      <Textarea
        {...common}
        autosize
        minRows={2}
        maxRows={8}
        placeholder={stringField.placeholder}
        value={words}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
    )
  return (
    <TextInput
      {...common}
      type={stringField?.dateField ? 'date' : 'text'}
      placeholder={stringField?.placeholder}
      {...(stringField?.textField?.suffix && {
        rightSection: <Text size="sm">{stringField.textField.suffix}</Text>,
        rightSectionWidth: `${stringField.textField.suffix.length + 2}ch`,
      })}
      {...(stringField?.dateField?.minDate && { min: stringField.dateField.minDate })}
      {...(stringField?.dateField?.maxDate && { max: stringField.dateField.maxDate })}
      value={words}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  )
}

/** On the wire whole numbers are texts, and null where there is none. */
function limitsOf(of: NumberField | null | undefined): { min?: number; max?: number; step?: number } {
  const entries = [
    ['min', of?.minValue],
    ['max', of?.maxValue],
    ['step', of?.step],
  ] as const
  return Object.fromEntries(entries.flatMap(([name, value]) => (value ? [[name, Number(value)]] : [])))
}

type MapAnswerProps = {
  common: { label: string; description: string | undefined; required: boolean; error: string | undefined }
  value: Readonly<Record<string, unknown>>
  onChange: (value: Record<string, string>) => void
}

/** Names with values, one per line. What is being written stands as it is until it can be read. */
function MapAnswer({ common, value, onChange }: MapAnswerProps): ReactNode {
  const [text, setText] = useState(() =>
    Object.entries(value)
      .map(([name, of]) => `${name} = ${String(of)}`)
      .join('\n'),
  )
  return (
    <Textarea
      {...common}
      description={common.description ?? 'One per line, as in name = value.'}
      autosize
      minRows={2}
      maxRows={8}
      value={text}
      onChange={({ currentTarget }) => {
        setText(currentTarget.value)
        const lines = currentTarget.value.split('\n').flatMap((line): [string, string][] => {
          const [name = '', ...rest] = line.split('=')
          return rest.length > 0 && name.trim() !== '' ? [[name.trim(), rest.join('=').trim()]] : []
        })
        onChange(Object.fromEntries(lines))
      }}
    />
  )
}
