import { Checkbox, Stack, Textarea, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import type { Field, FieldGroup, RequestSchema } from '#client/api/types.ts'
import { ApiError } from '#client/api-error.ts'
import { problemOf } from '../../client/problem.ts'
import { Panel } from '../../parts/panel.tsx'
import { followName } from '../../parts/question-kinds.ts'
import { QuestionsEditor } from '../../parts/questions-editor.tsx'
import { type Relationship, RelationshipsEditor } from '../../parts/relationships-editor.tsx'

type Parts = { fields: readonly Field[]; fieldGroups: FieldGroup[]; fieldRelationships: Relationship[] }

/** A form as it is typed, and as it is sent. */
export function useFormDraft(schema: RequestSchema | null) {
  const [name, setName] = useState(schema?.form?.displayName ?? '')
  const [description, setDescription] = useState(schema?.form?.description ?? '')
  const [parts, setParts] = useState<Parts>({
    fields: schema?.form?.fields ?? [],
    fieldGroups: schema?.form?.fieldGroups ?? [],
    fieldRelationships: schema?.form?.fieldRelationships ?? [],
  })
  const [asksReason, setAsksReason] = useState(schema?.justificationVisibility !== 'JUSTIFICATION_VISIBILITY_HIDE')
  const sent = {
    displayName: name.trim(),
    description,
    fields: [...parts.fields],
    fieldGroups: parts.fieldGroups,
    fieldRelationships: parts.fieldRelationships,
    justificationVisibility: asksReason
      ? ('JUSTIFICATION_VISIBILITY_SHOW' as const)
      : ('JUSTIFICATION_VISIBILITY_HIDE' as const),
  }
  return { name, setName, description, setDescription, asksReason, setAsksReason, parts, setParts, sent }
}
export type FormDraft = ReturnType<typeof useFormDraft>

/** The API's error for a part of the form. */
export const wrongIn = (error: unknown, part: string): string | undefined =>
  error instanceof ApiError ? error.violations.find(({ field }) => field.includes(part))?.description : undefined

type FormFactsProps = Omit<FormDraft, 'parts' | 'setParts' | 'sent'> & { isReadOnly: boolean; error: unknown }

export function FormFacts(props: FormFactsProps): ReactNode {
  const { name, setName, description, setDescription, asksReason, setAsksReason, isReadOnly, error } = props
  return (
    <Panel title="The form">
      <Stack gap="sm">
        <TextInput
          label="Name"
          required
          maxLength={200}
          readOnly={isReadOnly}
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
          error={problemOf(error, 'name') ?? problemOf(error, 'requestSchema.form.displayName')}
        />
        <Textarea
          label="Description"
          autosize
          minRows={1}
          readOnly={isReadOnly}
          value={description}
          onChange={({ currentTarget }) => setDescription(currentTarget.value)}
        />
        <Checkbox
          label="Also ask for a reason"
          disabled={isReadOnly}
          checked={asksReason}
          onChange={({ currentTarget }) => setAsksReason(currentTarget.checked)}
        />
      </Stack>
    </Panel>
  )
}

type FormQuestionsProps = {
  parts: Parts
  onChange: FormDraft['setParts']
  isReadOnly: boolean
  problem: (part: string) => string | undefined
}

export function FormQuestions({ parts, onChange, isReadOnly, problem }: FormQuestionsProps): ReactNode {
  const { fields, fieldRelationships } = parts
  return (
    <>
      <Panel title="Questions">
        <QuestionsEditor
          fields={fields}
          onChange={(next, renamed) =>
            onChange((before) => {
              const after = { ...before, fields: next }
              return renamed ? followName(after, renamed.from, renamed.to) : after
            })
          }
          isReadOnly={isReadOnly}
          problem={(place) => problem(`fields[${place}]`)}
        />
      </Panel>
      {(fieldRelationships.length > 0 || !isReadOnly) && (
        <Panel title="Questions that depend on each other">
          <RelationshipsEditor
            fields={fields}
            relationships={fieldRelationships}
            onChange={(changed) => onChange((before) => ({ ...before, fieldRelationships: changed }))}
            isReadOnly={isReadOnly}
            problem={(place) => problem(`fieldRelationships[${place}]`)}
          />
        </Panel>
      )}
    </>
  )
}
