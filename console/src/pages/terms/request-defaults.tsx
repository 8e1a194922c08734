import { Button, Checkbox, Group, MultiSelect, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import {
  appAccessRequestsDefaultsCreateAppAccessRequestsDefaults,
  appAccessRequestsDefaultsGetAppAccessRequestsDefaults,
  appResourceTypeList,
  requestTermsGet,
} from '#client/api/operations.ts'
import type { AppAccessRequestDefaults } from '#client/api/types.ts'
import { ApiError } from '#client/api-error.ts'
import { problemOf } from '../../client/problem.ts'
import { read, useChange } from '../../client/queries.ts'
import { ErrorNote } from '../../parts/error-note.tsx'
import { Panel } from '../../parts/panel.tsx'
import { type RequestTerms, TermsFields } from './terms-fields.tsx'

/** The settings for requests of an app that neither the entitlement nor a routing rule sets. */
export function RequestDefaults({ appId, isReadOnly }: { appId: string; isReadOnly: boolean }): ReactNode {
  const { data, error, isPending, refetch } = useQuery({
    ...read(appAccessRequestsDefaultsGetAppAccessRequestsDefaults, { path: { app_id: appId } }),
    retry: false,
  })
  const isNone = error instanceof ApiError && error.status === 404
  if (error && !isNone) return <ErrorNote error={error} retry={() => void refetch()} />
  if (isPending) return null
  return <Editor appId={appId} defaults={data ?? null} isReadOnly={isReadOnly} />
}

type EditorProps = { appId: string; defaults: AppAccessRequestDefaults | null; isReadOnly: boolean }

function Editor({ appId, defaults, isReadOnly }: EditorProps): ReactNode {
  const [enabled, setEnabled] = useState(defaults?.defaultsEnabled ?? false)
  const [terms, setTerms] = useState<RequestTerms>({
    requestPolicyId: defaults?.requestPolicyId ?? '',
    requestSchemaId: defaults?.requestSchemaId ?? '',
    emergencyGrantEnabled: defaults?.emergencyGrantEnabled ?? false,
    emergencyGrantPolicyId: defaults?.emergencyGrantPolicyId ?? '',
    max: defaults?.durationGrant ?? null,
    isUnlimited: Boolean(defaults?.durationUnset),
  })
  const [resourceTypeIds, setResourceTypeIds] = useState(defaults?.resourceTypeIds ?? [])
  const save = useChange(appAccessRequestsDefaultsCreateAppAccessRequestsDefaults, {
    changes: [appAccessRequestsDefaultsGetAppAccessRequestsDefaults, requestTermsGet],
    done: 'Saved',
  })
  const { error } = save
  const { max, isUnlimited = false, ...settings } = terms
  return (
    <Panel title="Defaults of this app" about="They apply if neither the entitlement nor a routing rule sets a value.">
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          save.mutate({
            path: { app_id: appId },
            body: {
              ...settings,
              defaultsEnabled: enabled,
              resourceTypeIds,
              // If neither is set, the settings that follow the defaults apply.
              durationGrant: max,
              durationUnset: max === null && isUnlimited ? {} : null,
            },
          })
        }}
      >
        <Stack maw="36rem">
          <Checkbox
            label="Use these defaults"
            description="They apply to new requests."
            disabled={isReadOnly}
            checked={enabled}
            onChange={({ currentTarget: { checked } }) => setEnabled(checked)}
          />
          <ResourceTypesField
            appId={appId}
            ids={resourceTypeIds}
            onChange={setResourceTypeIds}
            isReadOnly={isReadOnly}
            error={problemOf(error, 'resourceTypeIds')}
          />
          <TermsFields
            appId={appId}
            terms={terms}
            onChange={setTerms}
            isReadOnly={isReadOnly}
            problem={(field) => problemOf(error, field)}
          />
          <ErrorNote error={error} />
          {!isReadOnly && (
            <Group>
              <Button type="submit" loading={save.isPending}>
                Save defaults
              </Button>
            </Group>
          )}
        </Stack>
      </form>
    </Panel>
  )
}

type ResourceTypesFieldProps = {
  appId: string
  ids: readonly string[]
  onChange: (ids: string[]) => void
  isReadOnly: boolean
  error: string | undefined
}

function ResourceTypesField({ appId, ids, onChange, isReadOnly, error }: ResourceTypesFieldProps): ReactNode {
  const { data } = useQuery(read(appResourceTypeList, { path: { app_id: appId }, query: { page_size: 100 } }))
  const types = data?.list.flatMap(({ appResourceType: type }) => type ?? []) ?? []
  return (
    <MultiSelect
      searchable
      label="For entitlements of these resource types"
      placeholder={ids.length === 0 ? 'All entitlements of the app' : ''}
      readOnly={isReadOnly}
      clearable
      value={[...ids]}
      onChange={onChange}
      data={[
        ...types.map(({ id, displayName }) => ({ value: id, label: displayName })),
        // A type that is not on the first page, or was deleted, stays until somebody removes it.
        ...ids.filter((id) => !types.some((type) => type.id === id)).map((id) => ({ value: id, label: id })),
      ]}
      error={error}
    />
  )
}
