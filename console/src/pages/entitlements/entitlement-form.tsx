import { MultiSelect, NativeSelect } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import {
  appEntitlementSearch,
  appEntitlementsCreate,
  appEntitlementsGet,
  appEntitlementsList,
  appEntitlementsListForAppResource,
  appEntitlementsUpdate,
} from '#client/api/operations.ts'
import type { AppEntitlement, AppResource } from '#client/api/types.ts'
import { problemOf } from '../../client/problem.ts'
import { useChange } from '../../client/queries.ts'
import { useSession } from '../../client/session.ts'
import { FormModal } from '../../parts/form-modal.tsx'
import { DescriptionField, NameField } from '../../parts/name-fields.tsx'
import { ResourcePicker } from '../../parts/resource-picker.tsx'
import { GrantExpiry, useGrantExpiry } from './grant-expiry.tsx'
import { purposeWords } from './purpose-words.ts'
import { useFrameworks, useRiskLevels } from './risk-level.tsx'

type EntitlementFormProps = {
  appId: string
  /** The entitlement that is changed; without one, a new one is made. */
  entitlement?: AppEntitlement
  /** The resource of a new entitlement; without it, the form has a field for it. */
  resource?: AppResource
  onClose: () => void
  onMade?: (id: string) => void
}

/** The operations that answer with entitlements. */
export const entitlementReads = [
  appEntitlementSearch,
  appEntitlementsList,
  appEntitlementsGet,
  appEntitlementsListForAppResource,
]

type Terms = Partial<AppEntitlement> & Pick<AppEntitlement, 'displayName'>

function useSaveEntitlement({ appId, entitlement, onClose, onMade }: EntitlementFormProps) {
  const create = useChange(appEntitlementsCreate, {
    changes: entitlementReads,
    done: ({ appEntitlementView: made }) => `Created ${made?.appEntitlement?.displayName ?? ''}`,
    onDone({ appEntitlementView }) {
      onClose()
      const id = appEntitlementView?.appEntitlement?.id
      if (id) onMade?.(id)
    },
  })
  const update = useChange(appEntitlementsUpdate, { changes: entitlementReads, done: 'Saved', onDone: onClose })
  const { error, isPending } = entitlement ? update : create
  const save = (terms: Terms, of: AppResource | null): void =>
    entitlement
      ? update.mutate({
          path: { app_id: appId, id: entitlement.id },
          body: { entitlement: terms, updateMask: Object.keys(terms).join(',') },
        })
      : create.mutate({
          path: { app_id: appId },
          body: { ...terms, appResourceTypeId: of?.appResourceTypeId ?? '', appResourceId: of?.id ?? '' },
        })
  return { save, error, isPending }
}

export function EntitlementForm({ appId, entitlement, resource, onClose, onMade }: EntitlementFormProps): ReactNode {
  const { may } = useSession()
  const [displayName, setDisplayName] = useState(entitlement?.displayName ?? '')
  const [description, setDescription] = useState(entitlement?.description ?? '')
  const [purpose, setPurpose] = useState<AppEntitlement['purpose']>(
    entitlement?.purpose ?? 'APP_ENTITLEMENT_PURPOSE_VALUE_ASSIGNMENT',
  )
  const [of, setOf] = useState<AppResource | null>(resource ?? null)
  const [riskLevelValueId, setRisk] = useState(entitlement?.riskLevelValueId ?? '')
  const [frameworks, setFrameworks] = useState(entitlement?.complianceFrameworkValueIds ?? [])
  const expiry = useGrantExpiry(entitlement)

  const { save, error, isPending } = useSaveEntitlement({ appId, entitlement, onClose, onMade })
  const fieldOf = (field: string): string => (entitlement ? `entitlement.${field}` : field)
  const problem = (field: string): string | undefined => problemOf(error, fieldOf(field))

  const terms = {
    displayName: displayName.trim(),
    description: description.trim(),
    purpose,
    ...expiry.terms,
    // For callers who may not see these, they stay unchanged.
    ...(may('attributes.read') && { riskLevelValueId, complianceFrameworkValueIds: frameworks }),
  }
  return (
    <FormModal
      opened
      onClose={onClose}
      title={entitlement ? `Edit ${entitlement.displayName}` : 'Create entitlement'}
      verb={entitlement ? 'Save' : 'Create entitlement'}
      isIncomplete={terms.displayName === '' || expiry.isIncomplete}
      isPending={isPending}
      error={error}
      fields={['displayName', 'description', 'durationGrant', 'riskLevelValueId'].map(fieldOf)}
      onSubmit={() => save(terms, of)}
    >
      <NameField value={displayName} onChange={setDisplayName} error={problem('displayName')} />
      <DescriptionField
        description="What the entitlement allows."
        value={description}
        onChange={setDescription}
        error={problem('description')}
      />
      {!entitlement && !resource && may('apps.read') && (
        <ResourcePicker
          appId={appId}
          label="Resource"
          description="The resource that it gives access to. If empty, it applies to the entire app."
          chosen={of}
          onPick={setOf}
          onClear={() => setOf(null)}
        />
      )}
      <NativeSelect
        label="Kind"
        value={purpose}
        onChange={({ currentTarget: { value } }) => setPurpose(value as AppEntitlement['purpose'])}
        data={Object.entries(purposeWords).map(([value, label]) => ({ value, label }))}
      />
      <GrantExpiry {...expiry} error={problem('durationGrant')} />
      <Attributes
        riskLevelValueId={riskLevelValueId}
        onRiskLevel={setRisk}
        frameworks={frameworks}
        onFrameworks={setFrameworks}
        riskLevelError={problem('riskLevelValueId')}
      />
    </FormModal>
  )
}

type AttributesProps = {
  riskLevelValueId: string
  onRiskLevel: (id: string) => void
  frameworks: string[]
  onFrameworks: (ids: string[]) => void
  riskLevelError: string | undefined
}

/** Only for callers who may see them: without that permission there is nothing to choose from. */
function Attributes(props: AttributesProps): ReactNode {
  const { riskLevelValueId, onRiskLevel, frameworks, onFrameworks, riskLevelError } = props
  const riskLevels = useRiskLevels()
  const allFrameworks = useFrameworks()
  return (
    <>
      {riskLevels.length > 0 && (
        <NativeSelect
          label="Risk level"
          value={riskLevelValueId}
          onChange={({ currentTarget: { value } }) => onRiskLevel(value)}
          data={[{ value: '', label: 'None' }, ...riskLevels.map(({ id, value }) => ({ value: id, label: value }))]}
          error={riskLevelError}
        />
      )}
      {allFrameworks.length > 0 && (
        <MultiSelect
          label="Compliance frameworks"
          placeholder={frameworks.length === 0 ? 'None' : ''}
          value={frameworks}
          onChange={onFrameworks}
          data={allFrameworks.map(({ id, value }) => ({ value: id, label: value }))}
        />
      )}
    </>
  )
}
