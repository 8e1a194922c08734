import { Button } from '@mantine/core'
import { IconListDetails, IconTrash } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import type { App, AppEntitlement, AppEntitlementView } from '#client/api/types.ts'
import type { Operation } from '#client/operation.ts'
import { neighbourAt } from '../../client/neighbours.ts'
import { useSession } from '../../client/session.ts'
import { Chosen } from '../../parts/chosen.tsx'
import { DataList } from '../../parts/data-list.tsx'
import { EntitlementPicker, type PickedEntitlement } from '../../parts/entitlement-picker.tsx'
import { FormModal } from '../../parts/form-modal.tsx'
import { Named } from '../../parts/named.tsx'
import { actionsColumn } from '../../parts/row-actions.tsx'

type ListReply = {
  list: AppEntitlementView[]
  expanded: (Record<string, unknown> | null)[]
  nextPageToken: string
}
type ListInput = { path: { catalog_id: string }; query?: { page_size?: number; page_token?: string } }
type Row = { entitlement: AppEntitlement; app?: App | undefined }

type EntitlementsOfProps = {
  profileId: string
  caption: string
  operation: Operation<ListInput, ListReply>
  nothing: { title: string; children: string; action?: ReactNode }
  onRemove: (entitlement: AppEntitlement) => void
}

/** Entitlements of an access profile: what is in it, or what lets people see it. */
export function EntitlementsOf({ profileId, caption, operation, nothing, onRemove }: EntitlementsOfProps): ReactNode {
  const { may } = useSession()
  return (
    <DataList
      caption={caption}
      operation={operation}
      input={({ pageSize, pageToken }) => ({
        path: { catalog_id: profileId },
        query: { page_size: pageSize, page_token: pageToken },
      })}
      rows={(reply) =>
        reply.list.flatMap(({ appEntitlement: entitlement, appPath }): Row[] =>
          entitlement ? [{ entitlement, app: neighbourAt(reply, appPath, 'App') }] : [],
        )
      }
      keyOf={({ entitlement: { appId, id } }) => `${appId} ${id}`}
      columns={[
        {
          header: 'Entitlement',
          cell: ({ entitlement: { appId, id, displayName, description } }) => (
            <Named label={displayName} to={`/apps/${appId}/entitlements/${id}`} about={description} />
          ),
        },
        {
          header: 'App',
          width: '30%',
          cell: ({ app, entitlement: { appId } }) => (
            <Named isQuiet label={app?.displayName ?? appId} to={`/apps/${appId}`} />
          ),
        },
        ...(may('profiles.write')
          ? [
              actionsColumn<Row>('3.5rem', ({ entitlement }) => [
                {
                  label: 'Remove',
                  name: `Remove ${entitlement.displayName}`,
                  icon: IconTrash,
                  onClick: () => onRemove(entitlement),
                },
              ]),
            ]
          : []),
      ]}
      empty={{ icon: IconListDetails, ...nothing }}
    />
  )
}

type AddEntitlementsProps = {
  title: string
  about?: ReactNode
  onAdd: (refs: { appId: string; id: string }[]) => void
  onClose: () => void
  isPending: boolean
  error: unknown
}

/** Picks several entitlements, and adds them at once. */
export function AddEntitlements({ title, about, onAdd, onClose, isPending, error }: AddEntitlementsProps): ReactNode {
  const [picked, setPicked] = useState<readonly PickedEntitlement[]>([])
  const refs = picked.map(({ entitlement: { appId, id } }) => ({ appId, id }))
  return (
    <FormModal
      opened
      onClose={onClose}
      title={title}
      verb="Add"
      isIncomplete={picked.length === 0}
      isPending={isPending}
      error={error}
      onSubmit={() => onAdd(refs)}
    >
      <EntitlementPicker
        label="Entitlement"
        without={refs}
        onPick={(each) => setPicked((before) => [...before, each])}
      />
      <Chosen
        items={picked}
        keyOf={({ entitlement: { appId, id } }) => `${appId} ${id}`}
        nameOf={({ entitlement, appName }) =>
          appName ? `${entitlement.displayName} (${appName})` : entitlement.displayName
        }
        onRemove={({ entitlement }) => setPicked((before) => before.filter((each) => each.entitlement !== entitlement))}
      />
      {about}
    </FormModal>
  )
}

export const AddButton = ({ label, onClick }: { label: string; onClick: () => void }): ReactNode => (
  <Button onClick={onClick}>{label}</Button>
)
