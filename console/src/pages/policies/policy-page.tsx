import {
  Alert,
  Badge,
  Button,
  Checkbox,
  Code,
  Group,
  NativeSelect,
  SegmentedControl,
  Stack,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core'
import { IconCopy, IconLock, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { type ReactNode, useEffect, useState } from 'react'
import { policiesCreate, policiesGet, policiesUpdate } from '#client/api/operations.ts'
import type { Policy } from '#client/api/types.ts'
import { ApiError } from '#client/api-error.ts'
import { read, useChange } from '../../client/queries.ts'
import { useSession } from '../../client/session.ts'
import { ErrorNote } from '../../parts/error-note.tsx'
import { Label } from '../../parts/label.tsx'
import { Page } from '../../parts/page.tsx'
import { Panel } from '../../parts/panel.tsx'
import { DeletePolicy, policyReads } from './delete-policy.tsx'
import { baselineKey, type Draft, draftOf, emptyDraft, type PolicyType, ruleKeys, scopeOf, termsOf } from './draft.ts'
import { PolicyBeside } from './policy-beside.tsx'
import { PolicyField } from './policy-field.tsx'
import classes from './policy-page.module.css'
import { PolicyPlanPanel } from './policy-plan.tsx'
import { RuleList } from './rule-list.tsx'
import { ScopeField } from './scope-field.tsx'
import { kindOf } from './step-kinds.ts'
import { StepList } from './step-list.tsx'
import { typeWords } from './words.ts'

const above = [{ label: 'Policies', to: '/policies' }]

/** A policy of one's own is edited here; a built-in one is shown, and can be duplicated. */
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

/** A new one: from nothing, or from one that there is. */
export function NewPolicy(): ReactNode {
  const { from = '' }: Readonly<Record<string, string | undefined>> = useSearch({ strict: false })
  const { data, error } = useQuery({ ...read(policiesGet, { path: { id: from } }), enabled: from !== '' })
  if (from !== '' && error)
    return (
      <Page title="Create policy" above={above}>
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
  const violations = error instanceof ApiError ? error.violations : []
  const prefix = policy ? 'policy.' : ''
  const problem = (field: string): string | undefined =>
    violations.find(({ field: at }) => {
      const own = at.startsWith(prefix) ? at.slice(prefix.length) : at
      return own === field || own.startsWith(`${field}.`) || own.startsWith(`${field}[`)
    })?.description
  const change = (changes: Partial<Draft>): void => setDraft((now) => ({ ...now, ...changes }))
  const key = baselineKey(draft.policyType)
  const keys = ruleKeys(draft)
  const shown = [
    'displayName',
    'description',
    'baselinePolicyId',
    'rules',
    'scope',
    ...[key, ...keys].map((each) => `policySteps.${each}.steps`),
  ].map((field) => `${prefix}${field}`)
  // What is wrong may lie far above the button.
  useEffect(() => {
    if (error) document.querySelector('[data-wrong], [aria-invalid=true]')?.scrollIntoView({ block: 'center' })
  }, [error])
  return (
    <Page
      title={policy?.displayName ?? 'Create policy'}
      above={above}
      about={policy?.description}
      actions={
        policy && (
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
              <Button
                variant="default"
                leftSection={<IconTrash size={16} aria-hidden />}
                onClick={() => setDeleting(true)}
              >
                Delete
              </Button>
            )}
          </>
        )
      }
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
            {!isReadOnly && (
              <Panel title="The policy">
                <Stack gap="sm">
                  <TextInput
                    label="Name"
                    required
                    maxLength={200}
                    value={draft.displayName}
                    onChange={({ currentTarget: { value } }) => change({ displayName: value })}
                    error={problem('displayName')}
                  />
                  <Textarea
                    label="Description"
                    autosize
                    minRows={1}
                    maxLength={10_000}
                    value={draft.description}
                    onChange={({ currentTarget: { value } }) => change({ description: value })}
                    error={problem('description')}
                  />
                  <NativeSelect
                    label="For"
                    description="It cannot be changed later."
                    disabled={policy !== null}
                    value={draft.policyType}
                    onChange={({ currentTarget: { value } }) => change(ofType(draft, value as PolicyType))}
                    data={Object.entries(typeWords).map(([value, label]) => ({ value, label }))}
                  />
                  <ScopeField
                    scope={draft.scope}
                    onChange={(scope) => change({ scope })}
                    isReadOnly={policy !== null}
                    error={problem('scope')}
                  />
                  <Annotations of={policy} />
                </Stack>
              </Panel>
            )}
            {(draft.rules.length > 0 || !isReadOnly) && (
              <Panel
                title="Rules"
                about="The first rule whose condition is true applies. If there is none, the steps below apply."
              >
                <RuleList
                  rules={draft.rules}
                  keys={keys}
                  onChange={(rules) => change({ rules })}
                  policyType={draft.policyType}
                  isReadOnly={isReadOnly}
                  problem={problem}
                />
              </Panel>
            )}
            <Panel title={draft.rules.length > 0 ? 'Otherwise' : 'Steps'} about="In this order.">
              <Stack gap="sm">
                {!isReadOnly && (
                  <Label text="Use">
                    {(id) => (
                      <SegmentedControl
                        aria-labelledby={id}
                        value={draft.isByPolicy ? 'policy' : 'steps'}
                        onChange={(value) => change({ isByPolicy: value === 'policy' })}
                        data={[
                          { value: 'steps', label: 'These steps' },
                          { value: 'policy', label: 'Steps of another policy' },
                        ]}
                      />
                    )}
                  </Label>
                )}
                {draft.isByPolicy ? (
                  <PolicyField
                    label="Policy"
                    policyId={draft.baselinePolicyId}
                    policyType={draft.policyType}
                    onChange={(baselinePolicyId) => change({ baselinePolicyId })}
                    isReadOnly={isReadOnly}
                    error={problem('baselinePolicyId') ?? problem('policySteps')}
                  />
                ) : (
                  <StepList
                    label="Steps"
                    steps={draft.steps}
                    onChange={(steps) => change({ steps })}
                    policyType={draft.policyType}
                    isReadOnly={isReadOnly}
                    problem={(field) => problem(`policySteps.${key}.steps${field}`)}
                  />
                )}
                {draft.policyType === 'POLICY_TYPE_CERTIFY' && (
                  <Checkbox
                    label="Revoke access immediately if it is not certified"
                    disabled={isReadOnly}
                    checked={draft.remediates === true}
                    onChange={({ currentTarget: { checked } }) => change({ remediates: checked })}
                  />
                )}
              </Stack>
            </Panel>
            {!isReadOnly && (
              <div className={classes.save}>
                <ErrorNote error={error} title="The policy was not saved" shownElsewhere={shown} />
                <Group>
                  <Button type="submit" loading={isPending} disabled={draft.displayName.trim() === ''}>
                    {policy ? 'Save' : 'Create policy'}
                  </Button>
                  <Button component={Link} to="/policies" variant="default">
                    Cancel
                  </Button>
                </Group>
              </div>
            )}
          </div>
          <div className={classes.beside}>
            {/* With rules the words are long, and the plan would be out of sight. */}
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

/** A policy of access reviews gives nothing: it has no provisioning. */
function ofType(draft: Draft, policyType: PolicyType): Partial<Draft> {
  if (policyType !== 'POLICY_TYPE_CERTIFY') return { policyType }
  const given = ({ steps }: Pick<Draft, 'steps'>) => steps.filter(({ step }) => kindOf(step) !== 'provision')
  return {
    policyType,
    steps: given(draft),
    rules: draft.rules.map((rule) => ({ ...rule, steps: given(rule) })),
  }
}

/** What other programs have noted on it. It is kept, and cannot be edited here. */
function Annotations({ of }: { of: Policy | null }): ReactNode {
  const noted = Object.entries(of?.annotations ?? {})
  if (noted.length === 0) return null
  return (
    <Label text="Annotations">
      {(id) => (
        <Text size="sm" aria-labelledby={id} component="div">
          {noted.map(([name, value]) => (
            <div key={name}>
              <Code>
                {name}: {String(value)}
              </Code>
            </div>
          ))}
        </Text>
      )}
    </Label>
  )
}
