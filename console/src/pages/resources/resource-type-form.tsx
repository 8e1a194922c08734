import { NativeSelect } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import {
  appResourceSearchAppResourceTypes,
  appResourceTypeCreateManuallyManagedResourceType,
  appResourceTypeDeleteManuallyManagedResourceType,
  appResourceTypeGet,
  appResourceTypeList,
  appResourceTypeUpdateManuallyManagedResourceType,
} from '#client/api/operations.ts'
import type { AppResourceType, CreateManuallyManagedResourceTypeRequestInput } from '#client/api/types.ts'
import { problemOf } from '../../client/problem.ts'
import { useChange } from '../../client/queries.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { FormModal } from '../../parts/form-modal.tsx'
import { NameField } from '../../parts/name-fields.tsx'
import { entitlementReads } from '../entitlements/entitlement-form.tsx'
import { resourceReads } from './resource-form.tsx'

type Kind = CreateManuallyManagedResourceTypeRequestInput['resourceType']

/** The API's kinds that people can create manually. */
const kinds: readonly { value: Kind; label: string }[] = [
  { value: 'CUSTOM', label: 'Other' },
  { value: 'GROUP', label: 'Group' },
  { value: 'ROLE', label: 'Role' },
  { value: 'LICENSE', label: 'Licence' },
  { value: 'PROJECT', label: 'Project' },
  { value: 'VAULT', label: 'Vault' },
  { value: 'CATALOG', label: 'Catalogue' },
]

const changes = [appResourceTypeList, appResourceTypeGet, appResourceSearchAppResourceTypes]

type ResourceTypeFormProps = {
  appId: string
  /** The type that is renamed; without one, a new one is created. */
  type?: AppResourceType
  onClose: () => void
  onMade?: (made: AppResourceType) => void
}

export function ResourceTypeForm({ appId, type, onClose, onMade }: ResourceTypeFormProps): ReactNode {
  const [displayName, setDisplayName] = useState(type?.displayName ?? '')
  const [kind, setKind] = useState<Kind>('CUSTOM')
  const create = useChange(appResourceTypeCreateManuallyManagedResourceType, {
    changes,
    done: `Created the type ${displayName.trim()}`,
    onDone({ appResourceType }) {
      onClose()
      if (appResourceType) onMade?.(appResourceType)
    },
  })
  const rename = useChange(appResourceTypeUpdateManuallyManagedResourceType, {
    changes,
    done: 'Renamed the type',
    onDone: onClose,
  })
  const { error, isPending } = type ? rename : create
  const field = type ? 'appResourceType.displayName' : 'displayName'
  const name = displayName.trim()
  return (
    <FormModal
      opened
      onClose={onClose}
      title={type ? `Rename the type ${type.displayName}` : 'Create resource type'}
      verb={type ? 'Rename' : 'Create type'}
      isIncomplete={name === ''}
      isPending={isPending}
      error={error}
      fields={[field]}
      onSubmit={() =>
        type
          ? rename.mutate({
              path: { app_id: appId, id: type.id },
              body: { appResourceType: { displayName: name }, updateMask: 'displayName' },
            })
          : create.mutate({ path: { app_id: appId }, body: { displayName: name, resourceType: kind } })
      }
    >
      <NameField
        placeholder="Repository"
        value={displayName}
        onChange={setDisplayName}
        error={problemOf(error, field)}
      />
      {!type && (
        <NativeSelect
          label="Category"
          value={kind}
          onChange={({ currentTarget: { value } }) => setKind(value as Kind)}
          data={kinds.map((each) => ({ ...each }))}
        />
      )}
    </FormModal>
  )
}

type DeleteResourceTypeProps = {
  opened: boolean
  type: AppResourceType
  onClose: () => void
  onDeleted: () => void
}

export function DeleteResourceType({ opened, type, onClose, onDeleted }: DeleteResourceTypeProps): ReactNode {
  const remove = useChange(appResourceTypeDeleteManuallyManagedResourceType, {
    changes: [appResourceTypeList, appResourceSearchAppResourceTypes, ...resourceReads, ...entitlementReads],
    done: `Deleted the type ${type.displayName}`,
    onDone() {
      onClose()
      onDeleted()
    },
  })
  return (
    <Confirm
      opened={opened}
      onClose={() => {
        remove.reset()
        onClose()
      }}
      title={`Delete the type ${type.displayName}?`}
      verb="Delete type"
      isPending={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate({ path: { app_id: type.appId, id: type.id } })}
    >
      All its resources and their entitlements are deleted, and all access to them is removed. The history is kept.
    </Confirm>
  )
}
