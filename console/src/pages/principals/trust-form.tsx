import { Alert, Button, Group, MultiSelect, Select, Stack, TagsInput, Text, Textarea, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import {
  federationConditionsCheck,
  federationTrustPlansPlan,
  rolesList,
  workloadFederationCreateTrust,
  workloadFederationGetTrust,
  workloadFederationListTrusts,
  workloadFederationUpdateTrust,
} from '#client/api/operations.ts'
import type { PlanFederationTrustResponse, WorkloadFederationTrust } from '#client/api/types.ts'
import { problemOf } from '../../client/problem.ts'
import { read, useChange } from '../../client/queries.ts'
import { useSession } from '../../client/session.ts'
import { FormModal } from '../../parts/form-modal.tsx'
import { addressProblem } from '../settings/addresses.ts'
import { trustAddress, useProviders } from './federation-reads.ts'
import { conditionExamples } from './federation-words.ts'

const typingMs = 400
const shownMax = 5

type TrustFormProps = { principalId: string; trust: WorkloadFederationTrust | null; onClose: () => void }

const termsOf = (trust: WorkloadFederationTrust | null) => ({
  displayName: trust?.displayName ?? '',
  conditionExpression: trust?.conditionExpression ?? '',
  allowSourceCidrs: trust?.allowSourceCidrs ?? [],
  scopedRoleIds: trust?.scopedRoleIds ?? [],
  passthroughClaims: trust?.passthroughClaims ?? [],
})
type Terms = ReturnType<typeof termsOf>

function useSaveTrust(principalId: string, trust: WorkloadFederationTrust | null, onSaved: () => void) {
  const navigate = useNavigate()
  const changes = [workloadFederationListTrusts, workloadFederationGetTrust]
  const create = useChange(workloadFederationCreateTrust, {
    changes,
    onDone: (reply) => void navigate({ href: trustAddress(principalId, reply.trust?.clientId ?? '') }),
  })
  const update = useChange(workloadFederationUpdateTrust, { changes, done: 'Saved the trust', onDone: onSaved })
  const { isPending, error } = trust ? update : create
  const path = { service_principal_id: principalId }
  const save = ({ providerId, ...terms }: Terms & { providerId: string }): void =>
    trust
      ? update.mutate({
          path: { ...path, client_id: trust.clientId },
          body: { trust: terms, updateMask: Object.keys(terms).join() },
        })
      : create.mutate({ path, body: { ...terms, providerId } })
  return { save, isPending, error }
}

/** A trust, as it is created or changed. What a changed condition does to the tokens of the last days is shown before it is saved. */
export function TrustForm({ principalId, trust, onClose }: TrustFormProps): ReactNode {
  const found = useProviders()
  const providers = found ?? []
  const [chosen, setChosen] = useState(trust?.providerId ?? '')
  const [draft, setTerms] = useState(() => termsOf(trust))
  const terms = { ...draft, displayName: draft.displayName.trim() }
  const set = (changed: Partial<Terms>): void => setTerms((before) => ({ ...before, ...changed }))
  const providerId = chosen || (providers[0]?.id ?? '')
  const provider = providers.find((each) => each.id === providerId)
  const { save, isPending, error } = useSaveTrust(principalId, trust, onClose)
  const wrong = terms.allowSourceCidrs.map(addressProblem).find(Boolean)
  return (
    <FormModal
      opened
      onClose={onClose}
      title={trust ? 'Edit trust' : 'Create a federation trust'}
      verb={trust ? 'Save' : 'Create trust'}
      isIncomplete={
        terms.displayName === '' || terms.conditionExpression.trim() === '' || providerId === '' || Boolean(wrong)
      }
      isPending={isPending}
      error={error}
      fields={[...Object.keys(terms), 'providerId']}
      onSubmit={() => save({ ...terms, providerId })}
    >
      <Stack>
        {!trust && found?.length === 0 && <NoProvider />}
        <TextInput
          label="Name"
          description="Which workload it is for."
          placeholder="deploy from main"
          required
          maxLength={200}
          value={draft.displayName}
          onChange={({ currentTarget: { value } }) => set({ displayName: value })}
          error={problemOf(error, 'displayName')}
        />
        <Select
          label="Provider"
          data={providers.map(({ id, displayName: label }) => ({ value: id, label }))}
          allowDeselect={false}
          disabled={trust !== null}
          value={providerId || null}
          onChange={(value) => setChosen(value ?? '')}
          error={problemOf(error, 'providerId')}
        />
        <Textarea
          label="Condition"
          description="A CEL expression about the claims of the token. Use a claim that never changes, such as a numeric ID."
          placeholder={(provider && conditionExamples[provider.wellKnownProvider]) ?? 'claims.sub == "deploy"'}
          required
          autosize
          minRows={2}
          maxRows={10}
          spellCheck={false}
          value={draft.conditionExpression}
          onChange={({ currentTarget: { value } }) => set({ conditionExpression: value })}
          error={problemOf(error, 'conditionExpression')}
        />
        <ConditionNotes
          principalId={principalId}
          trust={trust}
          providerId={providerId}
          condition={draft.conditionExpression}
        />
        <LimitFields terms={draft} onChange={set} error={error} wrongAddress={wrong} />
      </Stack>
    </FormModal>
  )
}

/** Where there is nothing to trust yet: the way to it, for those who may add it. */
function NoProvider(): ReactNode {
  const { may } = useSession()
  return (
    <Group justify="space-between">
      <Text size="sm">
        {may('principals.write')
          ? 'No provider yet. A provider is the issuer of the tokens, such as GitHub Actions.'
          : 'No provider yet. An administrator has to add one.'}
      </Text>
      {may('principals.write') && (
        <Button component={Link} to="/federation-providers" hash="create" size="xs" variant="default">
          Add provider
        </Button>
      )}
    </Group>
  )
}

type LimitFieldsProps = {
  terms: Terms
  onChange: (changed: Partial<Terms>) => void
  error: unknown
  wrongAddress: string | null | undefined
}

/** From where it can be used, and what its tokens contain. */
function LimitFields({ terms, onChange, error, wrongAddress }: LimitFieldsProps): ReactNode {
  const { data: known } = useQuery(read(rolesList, {}))
  return (
    <>
      <TagsInput
        label="Allowed IPs"
        description="IP addresses and CIDR blocks that it can be used from. If empty, any address."
        splitChars={[',', ' ']}
        acceptValueOnBlur
        value={terms.allowSourceCidrs}
        onChange={(allowSourceCidrs) => onChange({ allowSourceCidrs })}
        error={wrongAddress ?? problemOf(error, 'allowSourceCidrs')}
      />
      <MultiSelect
        label="Roles"
        description="Tokens have only these roles of the service principal. If empty, all of them."
        data={(known?.list ?? []).map(({ id, displayName: label }) => ({ value: id, label }))}
        value={terms.scopedRoleIds}
        onChange={(scopedRoleIds) => onChange({ scopedRoleIds })}
        error={problemOf(error, 'scopedRoleIds')}
      />
      <TagsInput
        label="Claims to pass on"
        description="Names of claims that are copied into the access token, for example repository. At most 32."
        splitChars={[',', ' ']}
        acceptValueOnBlur
        value={terms.passthroughClaims}
        onChange={(passthroughClaims) => onChange({ passthroughClaims })}
        error={problemOf(error, 'passthroughClaims')}
      />
    </>
  )
}

type NotesProps = {
  principalId: string
  trust: WorkloadFederationTrust | null
  providerId: string
  condition: string
}

/** While a condition is written: what is dangerous in it, and what it would have done to recent tokens. */
function ConditionNotes({ principalId, trust, providerId, condition }: NotesProps): ReactNode {
  const [conditionExpression] = useDebouncedValue(condition, typingMs)
  const isWritten = conditionExpression.trim() !== ''
  const { data: checked, error } = useQuery({
    ...read(federationConditionsCheck, { body: { conditionExpression, providerId } }),
    enabled: isWritten,
    retry: false,
  })
  const { data: plan } = useQuery({
    ...read(federationTrustPlansPlan, {
      path: { service_principal_id: principalId, client_id: trust?.clientId ?? '' },
      body: { conditionExpression },
    }),
    enabled: isWritten && trust !== null && conditionExpression !== trust.conditionExpression,
    retry: false,
  })
  if (!isWritten || conditionExpression !== condition) return null
  if (error)
    return (
      <Text size="sm" c="red" role="status">
        {problemOf(error, 'conditionExpression') ?? error.message}
      </Text>
    )
  const warnings = checked?.warnings ?? []
  return (
    <div aria-live="polite">
      <Stack gap="xs">
        {warnings.map(({ code, message }) => (
          <Alert key={code} color="orange" variant="light" icon={<IconAlertTriangle size={18} aria-hidden />}>
            {message}
          </Alert>
        ))}
        {plan && <PlanNote plan={plan} />}
      </Stack>
    </div>
  )
}

const countOf = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`

function PlanNote({ plan }: { plan: PlanFederationTrustResponse }): ReactNode {
  if (plan.replayedCount === 0)
    return <Text size="sm">This trust received no token in the last two weeks, so nothing can be compared.</Text>
  const parts = [
    `${countOf(plan.refusedCount, 'workload', 'workloads')} would be refused from now on`,
    `${countOf(plan.admittedCount, 'workload', 'workloads')} would be accepted`,
    ...(plan.unknownCount > 0 ? [`${plan.unknownCount} unknown`] : []),
  ]
  return (
    <Alert
      color={plan.refusedCount + plan.admittedCount > 0 ? 'orange' : 'teal'}
      variant="light"
      title={`With the tokens of the last two weeks: ${parts.join(', ')}`}
    >
      {plan.changes.slice(0, shownMax).map(({ attempt, becomes, detail }) => (
        <Text key={attempt?.id} size="sm">
          {becomes === 'REFUSED' ? 'Refused' : becomes === 'ADMITTED' ? 'Accepted' : 'Unknown'}:{' '}
          <code>{subjectOf(attempt?.claims)}</code> ({countOf(attempt?.times ?? 0, 'time', 'times')}) {detail}
        </Text>
      ))}
      {plan.changes.length > shownMax && <Text size="sm">and {plan.changes.length - shownMax} more</Text>}
    </Alert>
  )
}

export const subjectOf = (claims: { [name: string]: unknown } | null | undefined): string =>
  typeof claims?.['sub'] === 'string' ? claims['sub'] : 'a token without claims'
