import { Alert, Badge, Button } from '@mantine/core'
import { IconCopy, IconLock, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { policiesCreate, policiesGet, policiesUpdate } from '#client/api/operations.ts'
import type { Policy } from '#client/api/types.ts'
import { read, useChange } from '../../client/queries.ts'
import { useSession } from '../../client/session.ts'
import { ErrorNote } from '../../parts/error-note.tsx'
import { Page } from '../../parts/page.tsx'
import { DeletePolicy, policyReads } from './delete-policy.tsx'
import { type Draft, draftOf, emptyDraft, scopeOf, termsOf } from './draft.ts'
import { PolicyBeside } from './policy-beside.tsx'
import { PolicyFacts, PolicyRules, PolicySteps, problemIn, shownFields } from './policy-editor.tsx'
import classes from './policy-page.module.css'
import { PolicyPlanPanel } from './policy-plan.tsx'
import { SaveBar } from './save-bar.tsx'

const above = [{ label: 'Policies', to: '/policies' }]

/** A custom policy can be edited here; a built-in one is shown, and can be duplicated. */
export function PolicyPage(): ReactNode {
  const { policyId = '' } = useParams({ strict: false })
  const { data, error, refetch } = useQuery(read(policiesGet, { path: { id: policyId } }))
  const policy = data?.policy
  if (error)
    return (
      <Page title="Policy" above={above}>
        <ErrorNote error={error} title="This policy cannot be shown" retry={() => void refetch()} />
      </Page>
    )
  if (!policy)
    return (
      <Page title={null} above={above}>
        {null}
      </Page>
    )
  return <Editor key={`${policy.id} ${policy.updatedAt}`} policy={policy} draft={draftOf(policy)} />
}

/** A new policy: empty, or a copy of an existing one. */
export function NewPolicy(): ReactNode {
  const { from = '' }: Readonly<Record<string, string | undefined>> = useSearch({ strict: false })
  const { data, error } = useQuery({ ...read(policiesGet, { path: { id: from } }), enabled: from !== '' })
  if (from !== '' && error)
    return (
      <Page above={above}>
        <ErrorNote error={error} title="The policy to duplicate could not be loaded" />
      </Page>
    )
  if (from !== '' && !data?.policy)
    return (
      <Page title={null} above={above}>
        {null}
      </Page>
    )
  const draft = data?.policy
    ? { ...draftOf(data.policy), displayName: `Copy of ${data.policy.displayName}` }
    : emptyDraft()
  return <Editor key={from} policy={null} draft={draft} />
}

function Editor({ policy, draft: before }: { policy: Policy | null; draft: Draft }): ReactNode {
  const { may } = useSession()
  const navigate = useNavigate()
  const [draft, setDraft] = useState(before)
  const [isDeleting, setDeleting] = useState(false)
  const isReadOnly = !may('policies.write') || (policy?.systemBuiltin ?? false)
  const create = useChange(policiesCreate, {
    changes: policyReads,
    done: `Created ${draft.displayName.trim()}`,
    onDone: ({ policy: made }) => made && void navigate({ href: `/policies/${made.id}` }),
  })
  const update = useChange(policiesUpdate, { changes: policyReads, done: 'Saved' })
  const { error, isPending } = policy ? update : create
  const prefix = policy ? 'policy.' : ''
  const problem = problemIn(error, prefix)
  const change = (changes: Partial<Draft>): void => setDraft((now) => ({ ...now, ...changes }))
  const editing = { draft, change, problem }
  return (
    <Page
      title={policy?.displayName ?? 'Create policy'}
      above={above}
      about={policy?.description}
      actions={policy && <PolicyActions policy={policy} isReadOnly={isReadOnly} onDelete={() => setDeleting(true)} />}
    >
      {policy?.systemBuiltin && (
        <Alert mb="md" icon={<IconLock size={18} aria-hidden />}>
          Built-in policies cannot be edited. Duplicate it to create one that you can edit.
        </Alert>
      )}
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          const terms = termsOf(draft)
          if (policy)
            update.mutate({ path: { id: policy.id }, body: { policy: { ...terms, annotations: policy.annotations } } })
          else create.mutate({ body: { ...terms, ...scopeOf(draft) } })
        }}
      >
        <div className={classes.halves}>
          <div>
            {!isReadOnly && <PolicyFacts {...editing} policy={policy} />}
            <PolicyRules {...editing} isReadOnly={isReadOnly} />
            <PolicySteps {...editing} isReadOnly={isReadOnly} />
            {!isReadOnly && (
              <SaveBar
                verb={policy ? 'Save' : 'Create policy'}
                isPending={isPending}
                isIncomplete={draft.displayName.trim() === ''}
                error={error}
                title="The policy was not saved"
                shownElsewhere={shownFields(draft).map((field) => `${prefix}${field}`)}
                cancelTo="/policies"
              />
            )}
          </div>
          <div className={classes.beside}>
            {/* With rules the text is long, and the plan would be out of sight. */}
            {draft.rules.length === 0 && <PolicyBeside draft={draft} />}
            {!isReadOnly && may('tasks.read') && <PolicyPlanPanel policy={policy} draft={draft} />}
            {draft.rules.length > 0 && <PolicyBeside draft={draft} />}
          </div>
        </div>
      </form>
      {isDeleting && policy && (
        <DeletePolicy
          policy={policy}
          onClose={() => setDeleting(false)}
          onDeleted={() => void navigate({ href: '/policies' })}
        />
      )}
    </Page>
  )
}

type PolicyActionsProps = { policy: Policy; isReadOnly: boolean; onDelete: () => void }

function PolicyActions({ policy, isReadOnly, onDelete }: PolicyActionsProps): ReactNode {
  const { may } = useSession()
  const navigate = useNavigate()
  return (
    <>
      {policy.systemBuiltin && <Badge size="lg">Built-in</Badge>}
      {may('policies.write') && (
        <Button
          onClick={() => void navigate({ href: `/policies/new?from=${policy.id}` })}
          variant={policy.systemBuiltin ? 'filled' : 'default'}
          leftSection={<IconCopy size={16} aria-hidden />}
        >
          Duplicate
        </Button>
      )}
      {!isReadOnly && (
        <Button variant="default" leftSection={<IconTrash size={16} aria-hidden />} onClick={onDelete}>
          Delete
        </Button>
      )}
    </>
  )
}
