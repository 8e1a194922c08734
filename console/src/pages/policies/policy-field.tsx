import { Anchor, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { policiesGet, policySearch } from '#client/api/operations.ts'
import type { Policy } from '#client/api/types.ts'
import { read } from '../../client/queries.ts'
import { Picker } from '../../parts/picker.tsx'

type PolicyFieldProps = {
  label: string
  description?: string
  policyId: string
  /** Only those of this type. */
  policyType: string
  onChange: (policyId: string) => void
  isReadOnly: boolean
  /** Also those that are only for emergencies of this app or entitlement. */
  object?: { appId: string; entitlementId?: string }
  /** Can be left empty. */
  isOptional?: boolean
  error?: string | undefined
}

/** One policy, by id. */
export function PolicyField({
  policyId,
  policyType,
  onChange,
  isReadOnly,
  isOptional,
  object,
  ...field
}: PolicyFieldProps): ReactNode {
  const { data } = useQuery({ ...read(policiesGet, { path: { id: policyId } }), enabled: policyId !== '' })
  const chosen = policyId !== '' && data?.policy?.id === policyId ? data.policy : null
  if (isReadOnly)
    return (
      <Text size="sm">
        {field.label}:{' '}
        <Anchor component={Link} to={`/policies/${policyId}`} size="sm">
          {chosen?.displayName ?? policyId}
        </Anchor>
      </Text>
    )
  return (
    <Picker
      {...field}
      placeholder="Type the name of a policy"
      operation={policySearch}
      input={(query) => ({
        body: {
          query,
          policyTypes: [policyType as Policy['policyType']],
          ...(object && {
            scopeView: 'POLICY_SCOPE_VIEW_GLOBAL_AND_OBJECT' as const,
            scopeAppId: object.appId,
            scopeAppEntitlementId: object.entitlementId ?? '',
          }),
          pageSize: 25,
        },
      })}
      items={({ list }) => list}
      keyOf={({ id }) => id}
      nameOf={({ displayName }) => displayName}
      chosen={chosen}
      onPick={({ id }) => onChange(id)}
      {...(isOptional && { onClear: () => onChange('') })}
    />
  )
}
