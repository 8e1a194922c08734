import { NativeSelect } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import {
  appResourceCreateManuallyManagedAppResource,
  appResourceGet,
  appResourceList,
  appResourceSearchAppResources,
  appResourceUpdate,
} from '#client/api/operations.ts'
import type { AppResource, AppResourceType } from '#client/api/types.ts'
import { problemOf } from '../../client/problem.ts'
import { useChange } from '../../client/queries.ts'
import { useSession } from '../../client/session.ts'
import { FormModal } from '../../parts/form-modal.tsx'
import { DescriptionField, NameField } from '../../parts/name-fields.tsx'
import { ResourceTypePicker } from '../../parts/resource-picker.tsx'

type ResourceFormProps = {
  appId: string
  /** The resource that is changed; without one, a new one is made. */
  resource?: AppResource
  /** The first types of the app, for those who may not search. */
  types?: readonly AppResourceType[]
  type?: AppResourceType | undefined
  onClose: () => void
  onMade?: (made: AppResource) => void
}

/** The operations that answer with resources. */
export const resourceReads = [appResourceSearchAppResources, appResourceList, appResourceGet]

export function ResourceForm({ appId, resource, types = [], type, onClose, onMade }: ResourceFormProps): ReactNode {
  const { may } = useSession()
  const [of, setOf] = useState<AppResourceType | null>(type ?? types[0] ?? null)
  const [displayName, setDisplayName] = useState(resource?.displayName ?? '')
  const [description, setDescription] = useState(resource?.description ?? '')
  const create = useChange(appResourceCreateManuallyManagedAppResource, {
    changes: resourceReads,
    done: `Created ${displayName.trim()}`,
    onDone({ appResource }) {
      onClose()
      if (appResource) onMade?.(appResource)
    },
  })
  const update = useChange(appResourceUpdate, { changes: resourceReads, done: 'Saved', onDone: onClose })
  const { error, isPending } = resource ? update : create
  const fieldOf = (field: string): string => (resource ? `appResource.${field}` : field)
  const terms = { displayName: displayName.trim(), description: description.trim() }
  return (
    <FormModal
      opened
      onClose={onClose}
      title={resource ? `Edit ${resource.displayName}` : 'Create resource'}
      verb={resource ? 'Save' : 'Create resource'}
      isIncomplete={terms.displayName === '' || (!resource && !of)}
      isPending={isPending}
      error={error}
      fields={['displayName', 'description'].map(fieldOf)}
      onSubmit={() =>
        resource
          ? update.mutate({
              path: { app_id: appId, app_resource_type_id: resource.appResourceTypeId, id: resource.id },
              body: { appResource: terms, updateMask: Object.keys(terms).join(',') },
            })
          : create.mutate({ path: { app_id: appId, app_resource_type_id: of?.id ?? '' }, body: terms })
      }
    >
      <NameField value={displayName} onChange={setDisplayName} error={problemOf(error, fieldOf('displayName'))} />
      {!resource &&
        (may('apps.read') ? (
          <ResourceTypePicker
            appId={appId}
            label="Type"
            isRequired
            chosen={of}
            onPick={setOf}
            onClear={() => setOf(null)}
          />
        ) : (
          <NativeSelect
            label="Type"
            required
            value={of?.id ?? ''}
            onChange={({ currentTarget: { value } }) => setOf(types.find(({ id }) => id === value) ?? null)}
            data={types.map(({ id, displayName: label }) => ({ value: id, label }))}
          />
        ))}
      <DescriptionField
        value={description}
        onChange={setDescription}
        error={problemOf(error, fieldOf('description'))}
      />
    </FormModal>
  )
}
