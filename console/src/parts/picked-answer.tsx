import { MultiSelect, Select, TagsInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { appResourceList, appUserSearch } from '#client/api/operations.ts'
import type { PickerField } from '#client/api/types.ts'
import { read } from '../client/queries.ts'
import { UserListField } from './user-list-field.tsx'

type PickedAnswerProps = {
  label: string
  description?: string | undefined
  required?: boolean | undefined
  error?: string | undefined
  picker: PickerField
  isMany: boolean
  ids: readonly string[]
  onChange: (ids: string[]) => void
  isReadOnly: boolean
}

const offeredMax = 100

/** An answer that is picked: users, accounts of an app, or resources of a type. Callers who may not list them type ids. */
export function PickedAnswer(props: PickedAnswerProps): ReactNode {
  const { label, description, error, picker, isMany, ids, onChange, isReadOnly } = props
  if (picker.c1UserPicker)
    return (
      <UserListField
        label={label}
        {...(description && { description })}
        ids={ids}
        onChange={(picked) => onChange(isMany ? picked : picked.slice(-1))}
        isReadOnly={isReadOnly}
        isRequired={props.required ?? false}
        error={error}
      />
    )
  return <Listed {...props} />
}

function Listed({
  label,
  description,
  required,
  error,
  picker,
  isMany,
  ids,
  onChange,
  isReadOnly,
}: PickedAnswerProps): ReactNode {
  const { appUserPicker: accounts, resourcePicker: resources } = picker
  const appId = accounts?.appId ?? resources?.appId ?? ''
  const ofAccounts = useQuery({
    ...read(appUserSearch, { body: { appId, pageSize: offeredMax } }),
    enabled: Boolean(accounts) && appId !== '',
    retry: false,
  })
  const ofResources = useQuery({
    ...read(appResourceList, {
      path: { app_id: appId, app_resource_type_id: resources?.resourceTypeId ?? '' },
      query: { page_size: offeredMax },
    }),
    enabled: Boolean(resources?.resourceTypeId),
    retry: false,
  })
  const common = {
    label,
    description,
    required: required ?? false,
    error,
    readOnly: isReadOnly,
  }
  const found = accounts
    ? ofAccounts.data?.list.flatMap(({ appUser }) =>
        appUser ? [{ value: appUser.id, label: appUser.displayName }] : [],
      )
    : ofResources.data?.list.flatMap(({ appResource }) =>
        appResource ? [{ value: appResource.id, label: appResource.displayName }] : [],
      )
  if (ofAccounts.error || ofResources.error)
    return (
      <TagsInput
        {...common}
        placeholder="Type an id, then press Enter"
        {...(!isMany && { maxTags: 1 })}
        value={[...ids]}
        onChange={onChange}
      />
    )
  const data = [
    ...(found ?? []),
    ...ids.filter((id) => !found?.some(({ value }) => value === id)).map((id) => ({ value: id, label: id })),
  ]
  if (isMany) return <MultiSelect {...common} searchable data={data} value={[...ids]} onChange={onChange} />
  return (
    <Select
      {...common}
      searchable
      clearable
      data={data}
      value={ids[0] ?? null}
      onChange={(id) => onChange(id === null ? [] : [id])}
    />
  )
}
