import { Checkbox, Group, NativeSelect, NumberInput, SimpleGrid, Stack, TagsInput, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Field } from '#client/api/types.ts'
import { ChoicesEditor } from './choices-editor.tsx'
import { PickerSettings } from './picker-settings.tsx'
import { kindOfQuestion } from './question-kinds.ts'
import classes from './questions-editor.module.css'
import { dateRules, listRules, numberRules, RulesEditor, textRules } from './rules-editor.tsx'

type QuestionSettingsProps = { field: Field; onChange: (field: Field) => void; isReadOnly: boolean }

/** A part of a question with something changed. What the editor does not know of stays. */
const within = (field: Field, part: keyof Field, changes: object): Field => ({
  ...field,
  [part]: { ...(field[part] as object), ...changes },
})

/** The settings for the answer to a question, by its kind. */
export function QuestionSettings(props: QuestionSettingsProps): ReactNode {
  const { stringField, boolField, int64Field, stringSliceField } = props.field
  return (
    <Stack gap="sm">
      {stringField && <TextSettings {...props} of={stringField} />}
      {int64Field && <NumberSettings {...props} of={int64Field} />}
      {stringSliceField && <ListSettings {...props} of={stringSliceField} />}
      {boolField && <BoolSettings {...props} />}
      <More {...props} />
    </Stack>
  )
}

type SettingsOf<Part extends keyof Field> = QuestionSettingsProps & { of: NonNullable<Field[Part]> }

function TextSettings({ field, of, onChange, isReadOnly }: SettingsOf<'stringField'>): ReactNode {
  const { selectField, pickerField, dateField, rules } = of
  const kind = kindOfQuestion(field)
  const set = (changes: object): void => onChange(within(field, 'stringField', changes))
  return (
    <>
      {kind === 'select' && selectField && (
        <ChoicesEditor
          options={selectField.options}
          type={selectField.type}
          onChange={(changes) => set({ selectField: { ...selectField, ...changes } })}
          isReadOnly={isReadOnly}
        />
      )}
      {pickerField && (
        <PickerSettings
          picker={pickerField}
          onChange={(changed) => set({ pickerField: changed })}
          isReadOnly={isReadOnly}
        />
      )}
      {kind === 'date' && (
        <>
          <RulesEditor
            label="Allowed dates"
            specs={dateRules}
            rules={dateField}
            onChange={(changed) => set({ dateField: changed })}
            isReadOnly={isReadOnly}
            hasPlainNumbers
          />
          <Checkbox
            label="Today by default"
            checked={dateField?.defaultToToday ?? false}
            onChange={({ currentTarget: { checked } }) => set({ dateField: { ...dateField, defaultToToday: checked } })}
          />
        </>
      )}
      {(kind === 'text' || kind === 'long' || (rules && kind !== 'date')) && (
        <RulesEditor
          label="Allowed answers"
          specs={textRules}
          rules={rules}
          onChange={(changed) => set({ rules: changed })}
          isReadOnly={isReadOnly}
        />
      )}
    </>
  )
}

const NumberSettings = ({ field, of, onChange, isReadOnly }: SettingsOf<'int64Field'>): ReactNode => (
  <>
    <RulesEditor
      label="Allowed numbers"
      specs={numberRules}
      rules={of.rules}
      onChange={(rules) => onChange(within(field, 'int64Field', { rules }))}
      isReadOnly={isReadOnly}
    />
    <NumberBounds field={field} onChange={onChange} />
  </>
)

function ListSettings({ field, of, onChange, isReadOnly }: SettingsOf<'stringSliceField'>): ReactNode {
  const { pickerField, rules } = of
  const set = (changes: object): void => onChange(within(field, 'stringSliceField', changes))
  return (
    <>
      {pickerField && (
        <PickerSettings
          picker={pickerField}
          onChange={(changed) => set({ pickerField: changed })}
          isReadOnly={isReadOnly}
        />
      )}
      <RulesEditor
        label="Number of answers"
        specs={listRules}
        rules={rules}
        onChange={(changed) => set({ rules: changed })}
        isReadOnly={isReadOnly}
      />
      {kindOfQuestion(field) === 'list' && (
        <RulesEditor
          label="Each answer"
          specs={textRules}
          rules={rules?.items?.string}
          onChange={(string) => set({ rules: { ...rules, items: { ...rules?.items, string } } })}
          isReadOnly={isReadOnly}
        />
      )}
    </>
  )
}

/** The bounds that the field itself shows, and the size of its steps. */
function NumberBounds({ field, onChange }: Omit<QuestionSettingsProps, 'isReadOnly'>): ReactNode {
  const of = field.int64Field?.numberField
  const set = (name: string, value: unknown): void =>
    onChange(
      within(field, 'int64Field', {
        numberField: { ...of, [name]: value === '' || value === '-' ? null : String(value) },
      }),
    )
  return (
    <SimpleGrid cols={3} spacing="xs">
      {(
        [
          ['minValue', 'Lowest'],
          ['maxValue', 'Highest'],
          ['step', 'Step size'],
        ] as const
      ).map(([name, label]) => (
        <NumberInput
          key={name}
          label={label}
          allowDecimal={false}
          value={of?.[name] ?? ''}
          onChange={(value) => set(name, value)}
        />
      ))}
    </SimpleGrid>
  )
}

function BoolSettings({ field, onChange }: QuestionSettingsProps): ReactNode {
  const of = field.boolField
  const wanted = of?.rules?.const
  return (
    <Group grow>
      <NativeSelect
        label="Allowed answer"
        value={wanted === true ? 'yes' : wanted === false ? 'no' : ''}
        onChange={({ currentTarget: { value } }) =>
          onChange(within(field, 'boolField', { rules: value === '' ? null : { const: value === 'yes' } }))
        }
        data={[
          { value: '', label: 'Yes or no' },
          { value: 'yes', label: 'Must be yes' },
          { value: 'no', label: 'Must be no' },
        ]}
      />
      <NativeSelect
        label="Shown as"
        value={of?.toggleField ? 'toggle' : 'box'}
        onChange={({ currentTarget: { value } }) =>
          onChange(
            within(field, 'boolField', {
              toggleField: value === 'toggle' ? {} : null,
              checkboxField: value === 'toggle' ? null : {},
            }),
          )
        }
        data={[
          { value: 'box', label: 'A checkbox' },
          { value: 'toggle', label: 'A switch' },
        ]}
      />
    </Group>
  )
}

/** Settings that are rarely needed: the default answer, and the name of the answer. */
function More({ field, onChange }: QuestionSettingsProps): ReactNode {
  const { stringField, int64Field, stringSliceField, boolField } = field
  const kind = kindOfQuestion(field)
  const part = stringField ? 'stringField' : int64Field ? 'int64Field' : stringSliceField ? 'stringSliceField' : null
  const placeholder = (stringField ?? int64Field ?? stringSliceField)?.placeholder ?? ''
  return (
    <details className={classes.more}>
      <summary>More</summary>
      <Stack gap="sm">
        {stringField && kind !== 'date' && (
          <TextInput
            label="Default answer"
            value={stringField.defaultValue ?? ''}
            onChange={({ currentTarget: { value } }) => onChange(within(field, 'stringField', { defaultValue: value }))}
          />
        )}
        {int64Field && (
          <NumberInput
            label="Default answer"
            allowDecimal={false}
            value={int64Field.defaultValue ?? ''}
            onChange={(value) =>
              onChange(within(field, 'int64Field', { defaultValue: value === '' ? null : String(value) }))
            }
          />
        )}
        {stringSliceField && (
          <TagsInput
            label="Default answers"
            value={stringSliceField.defaultValues ?? []}
            onChange={(defaultValues) => onChange(within(field, 'stringSliceField', { defaultValues }))}
          />
        )}
        {boolField && (
          <Checkbox
            label="Yes by default"
            checked={boolField.defaultValue ?? false}
            onChange={({ currentTarget: { checked } }) =>
              onChange(within(field, 'boolField', { defaultValue: checked }))
            }
          />
        )}
        {part && kind !== 'date' && (
          <TextInput
            label="Placeholder"
            value={placeholder}
            onChange={({ currentTarget: { value } }) => onChange(within(field, part, { placeholder: value }))}
          />
        )}
        {kind === 'text' && (
          <TextInput
            label="Suffix"
            description="For example, a unit."
            value={stringField?.textField?.suffix ?? ''}
            onChange={({ currentTarget: { value } }) =>
              onChange(
                within(field, 'stringField', { textField: { ...stringField?.textField, suffix: value || null } }),
              )
            }
          />
        )}
        <Checkbox
          label="Read-only"
          checked={field.readOnly ?? false}
          onChange={({ currentTarget: { checked } }) => onChange({ ...field, readOnly: checked })}
        />
      </Stack>
    </details>
  )
}
