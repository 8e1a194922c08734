import { Button } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import {
  requestSchemaCreate,
  requestSchemaDelete,
  requestSchemaGet,
  requestSchemaSearch,
  requestSchemaUpdate,
} from '#client/api/operations.ts'
import type { RequestSchema } from '#client/api/types.ts'
import { read, useChange } from '../../client/queries.ts'
import { useSession } from '../../client/session.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { ErrorNote } from '../../parts/error-note.tsx'
import { type Answers, FormFields, standardAnswers } from '../../parts/form-fields.tsx'
import { Page } from '../../parts/page.tsx'
import { Panel } from '../../parts/panel.tsx'
import classes from '../policies/policy-page.module.css'
import { SaveBar } from '../policies/save-bar.tsx'
import { type FormDraft, FormFacts, FormQuestions, useFormDraft, wrongIn } from './form-draft.tsx'

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

function useSaveForm(schema: RequestSchema | null, sent: FormDraft['sent']) {
  const navigate = useNavigate()
  const create = useChange(requestSchemaCreate, {
    changes,
    done: `Created ${sent.displayName}`,
    onDone: ({ requestSchema: made }) => made && void navigate({ href: `/forms/${made.id}` }),
  })
  const update = useChange(requestSchemaUpdate, { changes, done: 'Saved' })
  const { error, isPending } = schema ? update : create
  const save = (): void => {
    const { displayName, description, justificationVisibility, ...parts } = sent
    if (schema)
      update.mutate({
        path: { request_schema_id: schema.id },
        body: {
          requestSchema: { form: { ...schema.form, displayName, description, ...parts }, justificationVisibility },
        },
      })
    else create.mutate({ body: { name: displayName, description, ...parts, justificationVisibility } })
  }
  return { save, error, isPending }
}

function Editor({ schema }: { schema: RequestSchema | null }): ReactNode {
  const { may } = useSession()
  const isReadOnly = !may('forms.write')
  const form = useFormDraft(schema)
  const { name } = form
  const { fields } = form.parts
  const [tried, setTried] = useState<Answers | null>(null)
  const [isDeleting, setDeleting] = useState(false)
  const { save, error, isPending } = useSaveForm(schema, form.sent)
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
            <FormFacts {...form} isReadOnly={isReadOnly} error={error} />
            <FormQuestions
              parts={form.parts}
              onChange={form.setParts}
              isReadOnly={isReadOnly}
              problem={(part) => wrongIn(error, part)}
            />
            {!isReadOnly && (
              <SaveBar
                verb={schema ? 'Save' : 'Create form'}
                isPending={isPending}
                isIncomplete={name.trim() === '' || fields.length === 0}
                error={error}
                title="The form was not saved"
                cancelTo="/forms"
              />
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
      {isDeleting && schema && <DeleteForm schema={schema} onClose={() => setDeleting(false)} />}
    </Page>
  )
}

function DeleteForm({ schema, onClose }: { schema: RequestSchema; onClose: () => void }): ReactNode {
  const navigate = useNavigate()
  const remove = useChange(requestSchemaDelete, {
    changes: [requestSchemaSearch],
    done: 'Deleted',
    onDone: () => void navigate({ href: '/forms' }),
  })
  return (
    <Confirm
      opened
      onClose={onClose}
      title={`Delete ${schema.form?.displayName}?`}
      verb="Delete form"
      isPending={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate({ path: { request_schema_id: schema.id } })}
    >
      Existing requests keep their answers.
    </Confirm>
  )
}
