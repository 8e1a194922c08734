import { Checkbox, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { appsGet } from '#client/api/operations.ts'
import { read } from '../../client/queries.ts'
import { AppPicker } from '../../parts/app-picker.tsx'
import { EntitlementName } from '../../parts/entitlement-name.tsx'
import { EntitlementPicker } from '../../parts/entitlement-picker.tsx'
import { Named } from '../../parts/named.tsx'
import type { DraftScope } from './draft.ts'

type ScopeFieldProps = {
  scope: DraftScope | null
  onChange: (scope: DraftScope | null) => void
  isReadOnly: boolean
  error?: string | undefined
}

/** Whether a policy is only for emergencies of one app or entitlement. It is chosen when the policy is created. */
export function ScopeField({ scope, onChange, isReadOnly, error }: ScopeFieldProps): ReactNode {
  const appId = scope?.appId ?? ''
  const { data } = useQuery({ ...read(appsGet, { path: { id: appId } }), enabled: appId !== '' })
  const app = data?.app?.id === appId ? data.app : null
  if (isReadOnly)
    return (
      scope && (
        <Text size="sm" component="div">
          Only for emergency access to{' '}
          {scope.appEntitlementId ? (
            <EntitlementName appId={scope.appId} entitlementId={scope.appEntitlementId} />
          ) : (
            <Named isQuiet label={app?.displayName ?? scope.appId} to={`/apps/${scope.appId}`} />
          )}
        </Text>
      )
    )
  return (
    <Stack gap="sm">
      <Checkbox
        label="Only for emergency access to one app or entitlement"
        description="The policy is then available only there. This cannot be changed later."
        checked={scope !== null}
        onChange={({ currentTarget: { checked } }) => onChange(checked ? { appId: '', appEntitlementId: '' } : null)}
      />
      {scope && (
        <>
          <AppPicker chosen={app} onPick={({ id }) => onChange({ appId: id, appEntitlementId: '' })} error={error} />
          {scope.appId !== '' && (
            <div>
              {scope.appEntitlementId && (
                <Text size="sm" component="div" mb={4}>
                  Only <EntitlementName appId={scope.appId} entitlementId={scope.appEntitlementId} />
                </Text>
              )}
              <EntitlementPicker
                label="Entitlement"
                description="If empty, every entitlement of the app."
                appId={scope.appId}
                onPick={({ entitlement }) => onChange({ appId: scope.appId, appEntitlementId: entitlement.id })}
              />
            </div>
          )}
        </>
      )}
    </Stack>
  )
}
