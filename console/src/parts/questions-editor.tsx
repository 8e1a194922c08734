import { Button, Checkbox, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { Field } from '#client/api/types.ts'
import { moveActions, moved } from './move.ts'
import { kindOfQuestion, nameFrom, newQuestion, ofKind, type QuestionKind, questionKinds } from './question-kinds.ts'
import { QuestionSettings } from './question-settings.tsx'
import classes from './questions-editor.module.css'
import { RowActions } from './row-actions.tsx'

/** A question was renamed, or removed: what names it has to follow. */
export type Renamed = { from: string; to: string | null }

type QuestionsEditorProps = {
  fields: readonly Field[]
  onChange: (fields: readonly Field[], renamed?: Renamed) => void
  isReadOnly: boolean
  /** The API's error, by the place of the field. */
  problem?: (place: number) => string | undefined
}

/** The questions of a form, one after the other. */
export function QuestionsEditor({ fields, onChange, isReadOnly, problem }: QuestionsEditorProps): ReactNode {
  const put = (place: number, field: Field): void => {
    const from = fields[place]?.name ?? ''
    onChange(
      fields.map((each, at) => (at === place ? field : each)),
      from === field.name ? undefined : { from, to: field.name },
    )
  }
  return (
    <Stack gap="sm">
      {fields.map((field, place) => {
        const title = field.displayName || `Question ${place + 1}`
        return (
          // By place: a name is typed here, and two may be the same for a while.
          <fieldset key={place} className={classes.question} disabled={isReadOnly}>
            <legend className={classes.legend}>{title}</legend>
            <Group justify="flex-end">
              {!isReadOnly && (
                <RowActions
                  actions={[
                    ...moveActions({
                      name: title,
                      place,
                      count: fields.length,
                      move: (by) => onChange(moved(fields, place, by)),
                    }),
                    {
                      label: 'Remove',
                      name: `Remove ${title}`,
                      icon: IconTrash,
                      onClick: () =>
                        onChange(
                          fields.filter((_, at) => at !== place),
                          { from: field.name, to: null },
                        ),
                    },
                  ]}
                />
              )}
            </Group>
            <QuestionFields field={field} onChange={(changed) => put(place, changed)} isReadOnly={isReadOnly} />
            {problem?.(place) && (
              <Text size="sm" c="var(--mantine-color-error)" role="alert" data-wrong>
                {problem(place)}
              </Text>
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
            onClick={() => onChange([...fields, newQuestion()])}
          >
            Add question
          </Button>
        </div>
      )}
    </Stack>
  )
}

type QuestionFieldsProps = { field: Field; onChange: (field: Field) => void; isReadOnly: boolean }

function QuestionFields({ field, onChange, isReadOnly }: QuestionFieldsProps): ReactNode {
  return (
    <>
      <TextInput
        label="Question"
        required
        value={field.displayName}
        onChange={({ currentTarget: { value } }) =>
          onChange({
            ...field,
            displayName: value,
            // A name that was given otherwise stays: answers are known by it.
            name: field.name === nameFrom(field.displayName) ? nameFrom(value) : field.name,
          })
        }
      />
      <TextInput
        label="Help"
        value={field.description ?? ''}
        onChange={({ currentTarget: { value } }) => onChange({ ...field, description: value })}
      />
      <NativeSelect
        label="Answer"
        value={kindOfQuestion(field)}
        onChange={({ currentTarget: { value } }) => onChange(ofKind(field, value as QuestionKind))}
        data={questionKinds.map(([value, label]) => ({ value, label }))}
      />
      {!field.boolField && (
        <Checkbox
          label="Must be answered"
          checked={field.required ?? false}
          onChange={({ currentTarget: { checked } }) => onChange({ ...field, required: checked })}
        />
      )}
      <QuestionSettings field={field} onChange={onChange} isReadOnly={isReadOnly} />
    </>
  )
}
