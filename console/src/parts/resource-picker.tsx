import type { ReactNode } from 'react'
import { appResourceSearchAppResources, appResourceSearchAppResourceTypes } from '#client/api/operations.ts'
import type { AppResource, AppResourceType } from '#client/api/types.ts'
import { Picker, type PickerOptions } from './picker.tsx'

type Choosing<Item> = PickerOptions & {
  appId: string
  chosen: Item | null
  onPick: (item: Item) => void
  onClear: () => void
}

/** Finds a resource of an app. */
export const ResourcePicker = ({ appId, ...props }: Choosing<AppResource>): ReactNode => (
  <Picker
    {...props}
    placeholder="Type the name of a resource"
    operation={appResourceSearchAppResources}
    input={(query) => ({ body: { query, appId, pageSize: 25 } })}
    items={({ list }) => list.flatMap(({ appResource }) => (appResource ? [appResource] : []))}
    keyOf={({ id }) => id}
    nameOf={({ displayName }) => displayName}
  />
)

/** Finds a resource type of an app. */
export const ResourceTypePicker = ({
  appId,
  placeholder = 'Type the name of a type',
  ...props
}: Choosing<AppResourceType> & { placeholder?: string }): ReactNode => (
  <Picker
    {...props}
    placeholder={placeholder}
    operation={appResourceSearchAppResourceTypes}
    input={(query) => ({ body: { query, appIds: [appId], pageSize: 25 } })}
    items={({ list }) => list}
    keyOf={({ id }) => id}
    nameOf={({ displayName }) => displayName}
  />
)
