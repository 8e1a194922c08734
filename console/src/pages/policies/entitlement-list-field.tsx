import { Group } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { EntitlementName } from '../../parts/entitlement-name.tsx'
import { EntitlementPicker } from '../../parts/entitlement-picker.tsx'
import { RowActions } from '../../parts/row-actions.tsx'

type Ref = { appId: string; id: string }

type EntitlementListFieldProps = {
  label: string
  description?: string
  refs: readonly Ref[]
  onChange: (refs: Ref[]) => void
  isReadOnly: boolean
  error?: string | undefined
}

/** Several entitlements: what is chosen, each of which can be removed, and a field to add one. */
export const EntitlementListField = ({
  label,
  description,
  refs,
  onChange,
  isReadOnly,
  error,
}: EntitlementListFieldProps): ReactNode => (
  <div>
    {!isReadOnly && (
      <EntitlementPicker
        label={label}
        {...(description && { description })}
        without={refs}
        onPick={({ entitlement: { appId, id } }) => onChange([...refs, { appId, id }])}
        error={error}
      />
    )}
    {refs.map(({ appId, id }, place) => (
      <Group key={`${appId} ${id}`} gap="xs" mt={4} wrap="nowrap">
        <EntitlementName appId={appId} entitlementId={id} />
        {!isReadOnly && (
          <RowActions
            actions={[
              {
                label: 'Remove',
                name: `Remove entitlement ${place + 1} of ${label}`,
                icon: IconTrash,
                onClick: () => onChange(refs.filter((each) => each.appId !== appId || each.id !== id)),
              },
            ]}
          />
        )}
      </Group>
    ))}
  </div>
)
