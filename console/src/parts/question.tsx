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
import type { Field, NumberField, SelectField, StringField } from '#client/api/types.ts'
import { PickedAnswer } from './picked-answer.tsx'

/** What all kinds of answers show. */
type Common = {
  label: string
  description: string | undefined
  required: boolean | undefined
  error: string | undefined
  readOnly: boolean | undefined
}

type QuestionProps = { field: Field; value: unknown; onChange: (value: unknown) => void; error: string | undefined }

export function Question({ field, value, onChange, error }: QuestionProps): ReactNode {
  const { stringField, boolField, int64Field, stringSliceField, stringMapField, required } = field
  const label = field.displayName || field.name
  const common: Common = {
    label,
    description: field.description || undefined,
    required,
    error,
    readOnly: field.readOnly,
  }
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
  if (stringField?.selectField)
    return <Choice select={stringField.selectField} common={common} value={words} onChange={onChange} />
  return <TextAnswer of={stringField ?? null} common={common} value={words} onChange={onChange} />
}

type AnswerProps<Of> = Of & { common: Common; value: string; onChange: (value: string) => void }

/** One of several: as radio buttons, or as a list that opens. */
function Choice({ select, common, value, onChange }: AnswerProps<{ select: SelectField }>): ReactNode {
  if (select.type !== 'SELECT_TYPE_DROPDOWN' && select.type !== 'SELECT_TYPE_UNSPECIFIED')
    return (
      <Radio.Group {...common} value={value} onChange={onChange}>
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
  const { readOnly, ...rest } = common
  return (
    <NativeSelect
      {...rest}
      disabled={readOnly}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      data={[
        { value: '', label: 'Choose…' },
        ...select.options.map((option) => ({ value: option.value, label: option.displayName || option.value })),
      ]}
    />
  )
}

function TextAnswer({ of, common, value, onChange }: AnswerProps<{ of: StringField | null }>): ReactNode {
  if (of?.textField?.multiline)
    return (
      <Textarea
        {...common}
        autosize
        minRows={2}
        maxRows={8}
        placeholder={of.placeholder}
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
    )
  return (
    <TextInput
      {...common}
      type={of?.dateField ? 'date' : 'text'}
      placeholder={of?.placeholder}
      {...(of?.textField?.suffix && {
        rightSection: <Text size="sm">{of.textField.suffix}</Text>,
        rightSectionWidth: `${of.textField.suffix.length + 2}ch`,
      })}
      {...(of?.dateField?.minDate && { min: of.dateField.minDate })}
      {...(of?.dateField?.maxDate && { max: of.dateField.maxDate })}
      value={value}
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
  common: Common
  value: Readonly<Record<string, unknown>>
  onChange: (value: Record<string, string>) => void
}

/** Names with values, one per line. The text is kept as typed until it can be parsed. */
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
