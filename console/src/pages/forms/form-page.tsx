import { Button, Checkbox, Group, Stack, Textarea, TextInput } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { type ReactNode, useEffect, useState } from 'react'
import {
  requestSchemaCreate,
  requestSchemaDelete,
  requestSchemaGet,
  requestSchemaSearch,
  requestSchemaUpdate,
} from '#client/api/operations.ts'
import type { Field, FieldGroup, RequestSchema } from '#client/api/types.ts'
import { ApiError } from '#client/api-error.ts'
import { problemOf } from '../../client/problem.ts'
import { read, useChange } from '../../client/queries.ts'
import { useSession } from '../../client/session.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { ErrorNote } from '../../parts/error-note.tsx'
import { type Answers, FormFields, standardAnswers } from '../../parts/form-fields.tsx'
import { Page } from '../../parts/page.tsx'
import { Panel } from '../../parts/panel.tsx'
import { followName } from '../../parts/question-kinds.ts'
import { QuestionsEditor } from '../../parts/questions-editor.tsx'
import { type Relationship, RelationshipsEditor } from '../../parts/relationships-editor.tsx'
import classes from '../policies/policy-page.module.css'

const above = [{ label: 'Forms', to: '/forms' }]
const changes = [requestSchemaGet, requestSchemaSearch]

/** One form: its questions, and how requesters see them. */
export function FormPage(): ReactNode {
  const { formId = '' } = useParams({ strict: false })
  const { data, error, refetch } = useQuery(read(requestSchemaGet, { path: { request_schema_id: formId } }))
  if (error)
    return (
      <Page title="Form" above={above}>
        <ErrorNote error={error} title="This form cannot be shown" retry={() => void refetch()} />
      </Page>
    )
  if (!data?.requestSchema)
    return (
      <Page title={null} above={above}>
        {null}
      </Page>
    )
  return <Editor key={data.requestSchema.modifiedAt} schema={data.requestSchema} />
}

export const NewForm = (): ReactNode => <Editor schema={null} />

type Parts = { fields: readonly Field[]; fieldGroups: FieldGroup[]; fieldRelationships: Relationship[] }

function Editor({ schema }: { schema: RequestSchema | null }): ReactNode {
  const { may } = useSession()
  const navigate = useNavigate()
  const isReadOnly = !may('forms.write')
  const [name, setName] = useState(schema?.form?.displayName ?? '')
  const [description, setDescription] = useState(schema?.form?.description ?? '')
  const [parts, setParts] = useState<Parts>({
    fields: schema?.form?.fields ?? [],
    fieldGroups: schema?.form?.fieldGroups ?? [],
    fieldRelationships: schema?.form?.fieldRelationships ?? [],
  })
  const { fields, fieldGroups, fieldRelationships } = parts
  const [asksReason, setAsksReason] = useState(schema?.justificationVisibility !== 'JUSTIFICATION_VISIBILITY_HIDE')
  const [tried, setTried] = useState<Answers | null>(null)
  const [isDeleting, setDeleting] = useState(false)
  const create = useChange(requestSchemaCreate, {
    changes,
    done: `Created ${name.trim()}`,
    onDone: ({ requestSchema: made }) => made && void navigate({ href: `/forms/${made.id}` }),
  })
  const update = useChange(requestSchemaUpdate, { changes, done: 'Saved' })
  const remove = useChange(requestSchemaDelete, {
    changes: [requestSchemaSearch],
    done: 'Deleted',
    onDone: () => void navigate({ href: '/forms' }),
  })
  const { error, isPending } = schema ? update : create
  const justificationVisibility = asksReason
    ? ('JUSTIFICATION_VISIBILITY_SHOW' as const)
    : ('JUSTIFICATION_VISIBILITY_HIDE' as const)
  const sent = { fields: [...fields], fieldGroups, fieldRelationships }
  const save = (): void => {
    if (schema) {
      const form = { ...schema.form, displayName: name.trim(), description, ...sent }
      update.mutate({
        path: { request_schema_id: schema.id },
        body: { requestSchema: { form, justificationVisibility } },
      })
    } else
      create.mutate({
        body: { name: name.trim(), description, ...sent, justificationVisibility },
      })
  }
  const wrongIn = (part: string): string | undefined =>
    error instanceof ApiError ? error.violations.find(({ field }) => field.includes(part))?.description : undefined
  const wrongAt = (place: number): string | undefined => wrongIn(`fields[${place}]`)
  // What is wrong may lie far above the button.
  useEffect(() => {
    if (error) document.querySelector('[data-wrong], [aria-invalid=true]')?.scrollIntoView({ block: 'center' })
  }, [error])
  return (
    <Page
      title={schema ? (schema.form?.displayName ?? 'Form') : 'Create form'}
      above={above}
      actions={
        schema &&
        !isReadOnly && (
          <Button variant="default" leftSection={<IconTrash size={16} aria-hidden />} onClick={() => setDeleting(true)}>
            Delete
          </Button>
        )
      }
    >
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          save()
        }}
      >
        <div className={classes.halves}>
          <div>
            <Panel title="The form">
              <Stack gap="sm">
                <TextInput
                  label="Name"
                  required
                  maxLength={200}
                  readOnly={isReadOnly}
                  value={name}
                  onChange={({ currentTarget: { value } }) => setName(value)}
                  error={problemOf(error, 'name') ?? problemOf(error, 'requestSchema.form.displayName')}
                />
                <Textarea
                  label="Description"
                  autosize
                  minRows={1}
                  readOnly={isReadOnly}
                  value={description}
                  onChange={({ currentTarget: { value } }) => setDescription(value)}
                />
                <Checkbox
                  label="Also ask for a reason"
                  disabled={isReadOnly}
                  checked={asksReason}
                  onChange={({ currentTarget: { checked } }) => setAsksReason(checked)}
                />
              </Stack>
            </Panel>
            <Panel title="Questions">
              <QuestionsEditor
                fields={fields}
                onChange={(next, renamed) =>
                  setParts((before) => {
                    const after = { ...before, fields: next }
                    return renamed ? followName(after, renamed.from, renamed.to) : after
                  })
                }
                isReadOnly={isReadOnly}
                problem={wrongAt}
              />
            </Panel>
            {(fieldRelationships.length > 0 || !isReadOnly) && (
              <Panel title="Questions that depend on each other">
                <RelationshipsEditor
                  fields={fields}
                  relationships={fieldRelationships}
                  onChange={(changed) => setParts((before) => ({ ...before, fieldRelationships: changed }))}
                  isReadOnly={isReadOnly}
                  problem={(place) => wrongIn(`fieldRelationships[${place}]`)}
                />
              </Panel>
            )}
            {!isReadOnly && (
              <div className={classes.save}>
                <ErrorNote error={error} title="The form was not saved" />
                <Group>
                  <Button type="submit" loading={isPending} disabled={name.trim() === '' || fields.length === 0}>
                    {schema ? 'Save' : 'Create form'}
                  </Button>
                  <Button component={Link} to="/forms" variant="default">
                    Cancel
                  </Button>
                </Group>
              </div>
            )}
          </div>
          <div className={classes.beside}>
            <Panel title="Preview">
              <FormFields
                fields={fields}
                answers={tried ?? standardAnswers(fields)}
                onChange={setTried}
                problem={() => undefined}
              />
            </Panel>
          </div>
        </div>
      </form>
      {isDeleting && schema && (
        <Confirm
          opened
          onClose={() => setDeleting(false)}
          title={`Delete ${schema.form?.displayName}?`}
          verb="Delete form"
          isPending={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutate({ path: { request_schema_id: schema.id } })}
        >
          Existing requests keep their answers.
        </Confirm>
      )}
    </Page>
  )
}
