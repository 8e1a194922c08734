import { Button, Checkbox, Group, NativeSelect, Stack, TagsInput, TextInput } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconPlus, IconTrash } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { Field } from '../api/types.ts'
import classes from './questions-editor.module.css'
import { RowActions } from './row-actions.tsx'

const kinds = [
  ['text', 'A line of text'],
  ['long', 'Several lines of text'],
  ['select', 'One of several choices'],
  ['date', 'A date'],
  ['number', 'A number'],
  ['bool', 'Yes or no'],
  ['list', 'Several texts'],
] as const
type Kind = (typeof kinds)[number][0]

function kindOf({ stringField, boolField, int64Field, stringSliceField }: Field): Kind {
  if (boolField) return 'bool'
  if (int64Field) return 'number'
  if (stringSliceField) return 'list'
  if (stringField?.selectField) return 'select'
  if (stringField?.dateField) return 'date'
  return stringField?.textField?.multiline ? 'long' : 'text'
}

const shapes: Record<Kind, object> = {
  text: { stringField: { textField: {} } },
  long: { stringField: { textField: { multiline: true } } },
  select: { stringField: { selectField: { options: [], type: 'SELECT_TYPE_DROPDOWN' } } },
  date: { stringField: { dateField: {} } },
  number: { int64Field: { numberField: {} } },
  bool: { boolField: { checkboxField: {} } },
  list: { stringSliceField: { chipsField: {} } },
}

const ofKind = ({ name, displayName, description, required }: Field, kind: Kind): Field =>
  ({ name, displayName, description, required, ...shapes[kind] }) as unknown as Field

/** A name for the answer, by which expressions and clients know it. */
const nameFrom = (label: string): string =>
  label
    .trim()
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_|_$/g, '')

type QuestionsEditorProps = {
  fields: readonly Field[]
  onChange: (fields: readonly Field[]) => void
  isReadOnly: boolean
  /** What the API says is wrong, by the place of the field. */
  problem?: (place: number) => string | undefined
}

/** The questions of a form, one after the other. */
export function QuestionsEditor({ fields, onChange, isReadOnly, problem }: QuestionsEditorProps): ReactNode {
  const put = (place: number, field: Field): void => onChange(fields.map((each, at) => (at === place ? field : each)))
  const move = (place: number, by: number): void => {
    const moved = [...fields]
    const [field] = moved.splice(place, 1)
    if (field) moved.splice(place + by, 0, field)
    onChange(moved)
  }
  return (
    <Stack gap="sm">
      {fields.map((field, place) => {
        const kind = kindOf(field)
        const title = field.displayName || `Question ${place + 1}`
        const options = field.stringField?.selectField?.options ?? []
        return (
          // By place: a name is typed here, and two may be the same for a while.
          <fieldset key={place} className={classes.question} disabled={isReadOnly}>
            <legend className={classes.legend}>{title}</legend>
            <Group justify="flex-end">
              {!isReadOnly && (
                <RowActions
                  actions={[
                    {
                      label: 'Move up',
                      name: `Move ${title} up`,
                      icon: IconArrowUp,
                      isDisabled: place === 0,
                      onClick: () => move(place, -1),
                    },
                    {
                      label: 'Move down',
                      name: `Move ${title} down`,
                      icon: IconArrowDown,
                      isDisabled: place === fields.length - 1,
                      onClick: () => move(place, 1),
                    },
                    {
                      label: 'Remove',
                      name: `Remove ${title}`,
                      icon: IconTrash,
                      onClick: () => onChange(fields.filter((_, at) => at !== place)),
                    },
                  ]}
                />
              )}
            </Group>
            <TextInput
              label="Question"
              required
              value={field.displayName}
              onChange={({ currentTarget: { value } }) =>
                put(place, {
                  ...field,
                  displayName: value,
                  // A name that was given otherwise stays: answers are known by it.
                  name: field.name === nameFrom(field.displayName) ? nameFrom(value) : field.name,
                })
              }
              error={problem?.(place)}
            />
            <TextInput
              label="Help"
              value={field.description ?? ''}
              onChange={({ currentTarget: { value } }) => put(place, { ...field, description: value })}
            />
            <NativeSelect
              label="Answer"
              value={kind}
              onChange={({ currentTarget: { value } }) => put(place, ofKind(field, value as Kind))}
              data={kinds.map(([value, label]) => ({ value, label }))}
            />
            {kind === 'select' && (
              <TagsInput
                label="Choices"
                description="Type each, then press Enter."
                value={options.map(({ value }) => value)}
                onChange={(values) =>
                  put(place, {
                    ...field,
                    stringField: {
                      ...field.stringField,
                      selectField: {
                        type: field.stringField?.selectField?.type ?? 'SELECT_TYPE_DROPDOWN',
                        options: values.map(
                          (value) =>
                            options.find((each) => each.value === value) ?? {
                              value,
                              displayName: value,
                              description: '',
                            },
                        ),
                      },
                    } as Field['stringField'],
                  })
                }
              />
            )}
            {kind !== 'bool' && (
              <Checkbox
                label="Must be answered"
                checked={field.required ?? false}
                onChange={({ currentTarget: { checked } }) => put(place, { ...field, required: checked })}
              />
            )}
          </fieldset>
        )
      })}
      {!isReadOnly && (
        <div>
          <Button
            size="xs"
            variant="default"
            leftSection={<IconPlus size={14} aria-hidden />}
            onClick={() =>
              onChange([
                ...fields,
                ofKind({ name: '', displayName: '', description: '', required: false } as Field, 'text'),
              ])
            }
          >
            Add question
          </Button>
        </div>
      )}
    </Stack>
  )
}
