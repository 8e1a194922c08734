import { Checkbox, NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { appResourceTypeList, appsGet } from '#client/api/operations.ts'
import type { PickerField } from '#client/api/types.ts'
import { read } from '../client/queries.ts'
import { AppPicker } from './app-picker.tsx'
import { UserListField } from './user-list-field.tsx'

type PickerSettingsProps = {
  picker: PickerField
  onChange: (picker: PickerField) => void
  isReadOnly: boolean
}

/** From what one can pick. */
export function PickerSettings({ picker, onChange, isReadOnly }: PickerSettingsProps): ReactNode {
  const { c1UserPicker: users, appUserPicker: accounts, resourcePicker: resources } = picker
  const appId = accounts?.appId ?? resources?.appId ?? ''
  const { data } = useQuery({ ...read(appsGet, { path: { id: appId } }), enabled: appId !== '' })
  const { data: types } = useQuery({
    ...read(appResourceTypeList, { path: { app_id: appId }, query: { page_size: 100 } }),
    enabled: resources !== null && resources !== undefined && appId !== '',
  })
  if (users) {
    const set = (changes: object): void => onChange({ ...picker, c1UserPicker: { ...users, ...changes } })
    return (
      <>
        <UserListField
          label="Allowed users"
          description="If empty, all users are allowed."
          ids={users.userIds ?? []}
          onChange={(userIds) => set({ userIds })}
          isReadOnly={isReadOnly}
        />
        <UserListField
          label="Excluded users"
          ids={users.excludeUserIds ?? []}
          onChange={(excludeUserIds) => set({ excludeUserIds })}
          isReadOnly={isReadOnly}
        />
        <Checkbox
          label="Include disabled users"
          checked={users.includeDeactivated ?? false}
          onChange={({ currentTarget: { checked } }) => set({ includeDeactivated: checked })}
        />
      </>
    )
  }
  const app = data?.app?.id === appId ? data.app : null
  return (
    <>
      <AppPicker
        chosen={app}
        isRequired
        onPick={({ id }) =>
          onChange(
            resources
              ? { ...picker, resourcePicker: { appId: id, resourceTypeId: '' } }
              : { ...picker, appUserPicker: { ...accounts, appId: id } },
          )
        }
      />
      {resources && appId !== '' && (
        <NativeSelect
          label="Resource type"
          required
          value={resources.resourceTypeId}
          onChange={({ currentTarget: { value } }) =>
            onChange({ ...picker, resourcePicker: { ...resources, resourceTypeId: value } })
          }
          data={[
            { value: '', label: 'Choose…' },
            ...(types?.list ?? []).flatMap(({ appResourceType: type }) =>
              type ? [{ value: type.id, label: type.displayName }] : [],
            ),
          ]}
        />
      )}
    </>
  )
}
