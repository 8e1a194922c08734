import { Group, Input, MultiSelect, NativeSelect, NumberInput, SegmentedControl } from '@mantine/core'
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
import { type DurationUnit, durationIn, durationUnits } from '../../parts/durations.ts'
import { FormModal } from '../../parts/form-modal.tsx'
import { Label } from '../../parts/label.tsx'
import { DescriptionField, NameField } from '../../parts/name-fields.tsx'
import { ResourcePicker } from '../../parts/resource-picker.tsx'
import { purposeWords } from './purpose-words.ts'
import { useFrameworks, useRiskLevels } from './risk-level.tsx'

type EntitlementFormProps = {
  appId: string
  /** The entitlement that is changed; without one, a new one is made. */
  entitlement?: AppEntitlement
  /** Of which a new one is; the form asks where it is not said. */
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
  const before = entitlement?.durationGrant ? durationIn(entitlement.durationGrant) : null
  // Nothing said is not the same as no end: where the entitlement says nothing, the defaults of its app apply.
  const [lasts, setLasts] = useState<'unsaid' | 'good' | 'time'>(
    before ? 'time' : entitlement && !entitlement.durationUnset ? 'unsaid' : 'good',
  )
  const [amount, setAmount] = useState<number | string>(before?.amount ?? 90)
  const [unit, setUnit] = useState<DurationUnit>(before?.unit ?? 'days')
  const riskLevels = useRiskLevels()
  const allFrameworks = useFrameworks()

  const create = useChange(appEntitlementsCreate, {
    changes: entitlementReads,
    done: `Created ${displayName.trim()}`,
    onDone({ appEntitlementView }) {
      onClose()
      const id = appEntitlementView?.appEntitlement?.id
      if (id) onMade?.(id)
    },
  })
  const update = useChange(appEntitlementsUpdate, { changes: entitlementReads, done: 'Saved', onDone: onClose })
  const { error, isPending } = entitlement ? update : create
  const fieldOf = (field: string): string => (entitlement ? `entitlement.${field}` : field)
  const problem = (field: string): string | undefined => problemOf(error, fieldOf(field))

  const unitSeconds = durationUnits.find(([each]) => each === unit)?.[1] ?? 1
  const terms = {
    displayName: displayName.trim(),
    description: description.trim(),
    purpose,
    durationGrant: lasts === 'time' ? `${Number(amount) * unitSeconds}s` : null,
    durationUnset: lasts === 'good' ? {} : null,
    // Who may not see these leaves them as they are.
    ...(may('attributes.read') && { riskLevelValueId, complianceFrameworkValueIds: frameworks }),
  }
  return (
    <FormModal
      opened
      onClose={onClose}
      title={entitlement ? `Edit ${entitlement.displayName}` : 'Create entitlement'}
      verb={entitlement ? 'Save' : 'Create entitlement'}
      isIncomplete={terms.displayName === '' || (lasts === 'time' && !(Number(amount) > 0))}
      isPending={isPending}
      error={error}
      fields={['displayName', 'description', 'durationGrant', 'riskLevelValueId'].map(fieldOf)}
      onSubmit={() =>
        entitlement
          ? update.mutate({
              path: { app_id: appId, id: entitlement.id },
              body: { entitlement: terms, updateMask: Object.keys(terms).join(',') },
            })
          : create.mutate({
              path: { app_id: appId },
              body: { ...terms, appResourceTypeId: of?.appResourceTypeId ?? '', appResourceId: of?.id ?? '' },
            })
      }
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
      <Label text="Expiry of manual grants">
        {(id) => (
          <>
            <Group gap="xs">
              <SegmentedControl
                aria-labelledby={id}
                value={lasts}
                onChange={setLasts}
                data={[
                  { value: 'unsaid', label: 'App default' },
                  { value: 'good', label: 'Never' },
                  { value: 'time', label: 'After a time' },
                ]}
              />
              {lasts === 'time' && (
                <>
                  <NumberInput
                    aria-label="Duration"
                    w="6rem"
                    min={1}
                    allowDecimal={false}
                    value={amount}
                    onChange={setAmount}
                  />
                  <NativeSelect
                    aria-label="Unit"
                    value={unit}
                    onChange={({ currentTarget: { value } }) => setUnit(value as DurationUnit)}
                    data={durationUnits.map(([each]) => each)}
                  />
                </>
              )}
            </Group>
            {problem('durationGrant') && (
              <Input.Error mt={4} role="alert">
                {problem('durationGrant')}
              </Input.Error>
            )}
          </>
        )}
      </Label>
      {riskLevels.length > 0 && (
        <NativeSelect
          label="Risk level"
          value={riskLevelValueId}
          onChange={({ currentTarget: { value } }) => setRisk(value)}
          data={[{ value: '', label: 'None' }, ...riskLevels.map(({ id, value }) => ({ value: id, label: value }))]}
          error={problem('riskLevelValueId')}
        />
      )}
      {allFrameworks.length > 0 && (
        <MultiSelect
          label="Compliance frameworks"
          placeholder={frameworks.length === 0 ? 'None' : ''}
          value={frameworks}
          onChange={setFrameworks}
          data={allFrameworks.map(({ id, value }) => ({ value: id, label: value }))}
        />
      )}
    </FormModal>
  )
}
