import {
  Button,
  Checkbox,
  Group,
  NativeSelect,
  NumberInput,
  SimpleGrid,
  Stack,
  TagsInput,
  TextInput,
} from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { appResourceTypeList, appsGet } from '#client/api/operations.ts'
import type { Field, PickerField, SelectOption } from '#client/api/types.ts'
import { read } from '../client/queries.ts'
import { AppPicker } from './app-picker.tsx'
import { kindOfQuestion } from './question-kinds.ts'
import classes from './questions-editor.module.css'
import { RowActions } from './row-actions.tsx'
import { dateRules, listRules, numberRules, RulesEditor, textRules } from './rules-editor.tsx'
import { UserListField } from './user-list-field.tsx'

type QuestionSettingsProps = { field: Field; onChange: (field: Field) => void; isReadOnly: boolean }

/** A part of a question with something changed. What the editor does not know of stays. */
const within = (field: Field, part: keyof Field, changes: object): Field => ({
  ...field,
  [part]: { ...(field[part] as object), ...changes },
})

/** What can be said about the answer to a question, by its kind. */
export function QuestionSettings(props: QuestionSettingsProps): ReactNode {
  const { field, onChange, isReadOnly } = props
  const { stringField, boolField, int64Field, stringSliceField } = field
  const kind = kindOfQuestion(field)
  const ofText = (changes: object): void => onChange(within(field, 'stringField', changes))
  const ofList = (changes: object): void => onChange(within(field, 'stringSliceField', changes))
  const ofNumber = (changes: object): void => onChange(within(field, 'int64Field', changes))
  return (
    <Stack gap="sm">
      {kind === 'select' && stringField?.selectField && (
        <Choices
          options={stringField.selectField.options}
          type={stringField.selectField.type}
          onChange={(changes) => ofText({ selectField: { ...stringField.selectField, ...changes } })}
          isReadOnly={isReadOnly}
        />
      )}
      {stringField?.pickerField && (
        <PickerSettings
          picker={stringField.pickerField}
          onChange={(pickerField) => ofText({ pickerField })}
          isReadOnly={isReadOnly}
        />
      )}
      {stringSliceField?.pickerField && (
        <PickerSettings
          picker={stringSliceField.pickerField}
          onChange={(pickerField) => ofList({ pickerField })}
          isReadOnly={isReadOnly}
        />
      )}
      {kind === 'date' && (
        <>
          <RulesEditor
            label="Allowed dates"
            specs={dateRules}
            rules={stringField?.dateField}
            onChange={(dateField) => ofText({ dateField })}
            isReadOnly={isReadOnly}
            hasPlainNumbers
          />
          <Checkbox
            label="Today by default"
            checked={stringField?.dateField?.defaultToToday ?? false}
            onChange={({ currentTarget: { checked } }) =>
              ofText({ dateField: { ...stringField?.dateField, defaultToToday: checked } })
            }
          />
        </>
      )}
      {(kind === 'text' || kind === 'long' || (stringField?.rules && kind !== 'date')) && (
        <RulesEditor
          label="Allowed answers"
          specs={textRules}
          rules={stringField?.rules}
          onChange={(rules) => ofText({ rules })}
          isReadOnly={isReadOnly}
        />
      )}
      {kind === 'number' && (
        <>
          <RulesEditor
            label="Allowed numbers"
            specs={numberRules}
            rules={int64Field?.rules}
            onChange={(rules) => ofNumber({ rules })}
            isReadOnly={isReadOnly}
          />
          <NumberBounds field={field} onChange={onChange} />
        </>
      )}
      {stringSliceField && (
        <>
          <RulesEditor
            label="Number of answers"
            specs={listRules}
            rules={stringSliceField.rules}
            onChange={(rules) => ofList({ rules })}
            isReadOnly={isReadOnly}
          />
          {kind === 'list' && (
            <RulesEditor
              label="Each answer"
              specs={textRules}
              rules={stringSliceField.rules?.items?.string}
              onChange={(string) =>
                ofList({ rules: { ...stringSliceField.rules, items: { ...stringSliceField.rules?.items, string } } })
              }
              isReadOnly={isReadOnly}
            />
          )}
        </>
      )}
      {boolField && <BoolSettings {...props} />}
      <More {...props} />
    </Stack>
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

type ChoicesProps = {
  options: readonly SelectOption[]
  type: string
  onChange: (changes: { options?: SelectOption[]; type?: string }) => void
  isReadOnly: boolean
}

/** What can be chosen: what is shown, and the value that is kept. */
const Choices = ({ options, type, onChange, isReadOnly }: ChoicesProps): ReactNode => {
  const put = (place: number, changes: Partial<SelectOption>): void =>
    onChange({ options: options.map((each, at) => (at === place ? { ...each, ...changes } : each)) })
  return (
    <>
      {options.map((option, place) => (
        // By place: what is written may be the same for a while.
        <div key={place} className={classes.choice}>
          <TextInput
            label={`Choice ${place + 1}`}
            readOnly={isReadOnly}
            value={option.displayName || option.value}
            onChange={({ currentTarget: { value } }) =>
              put(place, {
                displayName: value,
                // A value that was given otherwise stays: answers hold it.
                ...(option.value === (option.displayName || option.value) && { value }),
              })
            }
          />
          <TextInput
            label="Help"
            readOnly={isReadOnly}
            value={option.description ?? ''}
            onChange={({ currentTarget: { value } }) => put(place, { description: value })}
          />
          {!isReadOnly && (
            <RowActions
              actions={[
                {
                  label: 'Remove the choice',
                  name: `Remove choice ${place + 1}`,
                  icon: IconTrash,
                  onClick: () => onChange({ options: options.filter((_, at) => at !== place) }),
                },
              ]}
            />
          )}
        </div>
      ))}
      <Group justify="space-between" align="flex-end">
        {!isReadOnly && (
          <Button
            size="xs"
            variant="default"
            leftSection={<IconPlus size={14} aria-hidden />}
            onClick={() => onChange({ options: [...options, { value: '', displayName: '', description: '' }] })}
          >
            Add choice
          </Button>
        )}
        <NativeSelect
          label="Shown as"
          disabled={isReadOnly}
          value={type === 'SELECT_TYPE_UNSPECIFIED' ? 'SELECT_TYPE_DROPDOWN' : type}
          onChange={({ currentTarget }) => onChange({ type: currentTarget.value })}
          data={[
            { value: 'SELECT_TYPE_DROPDOWN', label: 'A dropdown' },
            { value: 'SELECT_TYPE_RADIO', label: 'Radio buttons' },
            { value: 'SELECT_TYPE_BUTTONS', label: 'Buttons' },
          ]}
        />
      </Group>
    </>
  )
}

type PickerSettingsProps = {
  picker: PickerField
  onChange: (picker: PickerField) => void
  isReadOnly: boolean
}

/** From what one can pick. */
function PickerSettings({ picker, onChange, isReadOnly }: PickerSettingsProps): ReactNode {
  const { c1UserPicker: users, appUserPicker: accounts, resourcePicker: resources } = picker
  const appId = accounts?.appId ?? resources?.appId ?? ''
  const { data } = useQuery({ ...read(appsGet, { path: { id: appId } }), enabled: appId !== '' })
  const { data: types } = useQuery({
    ...read(appResourceTypeList, { path: { app_id: appId }, query: { page_size: 100 } }),
    enabled: resources !== null && resources !== undefined && appId !== '',
  })
  if (users) {
    const set = (changes: object): void => onChange({ ...picker, c1UserPicker: { ...users, ...changes } })
    return (
      <>
        <UserListField
          label="Allowed users"
          description="If empty, all users are allowed."
          ids={users.userIds ?? []}
          onChange={(userIds) => set({ userIds })}
          isReadOnly={isReadOnly}
        />
        <UserListField
          label="Excluded users"
          ids={users.excludeUserIds ?? []}
          onChange={(excludeUserIds) => set({ excludeUserIds })}
          isReadOnly={isReadOnly}
        />
        <Checkbox
          label="Include disabled users"
          checked={users.includeDeactivated ?? false}
          onChange={({ currentTarget: { checked } }) => set({ includeDeactivated: checked })}
        />
      </>
    )
  }
  const app = data?.app?.id === appId ? data.app : null
  return (
    <>
      <AppPicker
        chosen={app}
        isRequired
        onPick={({ id }) =>
          onChange(
            resources
              ? { ...picker, resourcePicker: { appId: id, resourceTypeId: '' } }
              : { ...picker, appUserPicker: { ...accounts, appId: id } },
          )
        }
      />
      {resources && appId !== '' && (
        <NativeSelect
          label="Resource type"
          required
          value={resources.resourceTypeId}
          onChange={({ currentTarget: { value } }) =>
            onChange({ ...picker, resourcePicker: { ...resources, resourceTypeId: value } })
          }
          data={[
            { value: '', label: 'Choose…' },
            ...(types?.list ?? []).flatMap(({ appResourceType: type }) =>
              type ? [{ value: type.id, label: type.displayName }] : [],
            ),
          ]}
        />
      )}
    </>
  )
}

/** What is seldom needed: what stands in the field before anyone answers, and by which name the answer is known. */
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
