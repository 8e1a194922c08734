import { Button, NativeSelect } from '@mantine/core'
import { IconBox, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import {
  appResourceList,
  appResourceSearchAppResources,
  appResourceTypeGet,
  appResourceTypeList,
} from '#client/api/operations.ts'
import type { AppResource, AppResourceType } from '#client/api/types.ts'
import { read } from '../../client/queries.ts'
import { useSession } from '../../client/session.ts'
import { DataList } from '../../parts/data-list.tsx'
import { EmptyNote } from '../../parts/empty-note.tsx'
import { useListState } from '../../parts/list-state.ts'
import { Moment } from '../../parts/moment.tsx'
import { Named } from '../../parts/named.tsx'
import { ResourceTypePicker } from '../../parts/resource-picker.tsx'
import { RowActions } from '../../parts/row-actions.tsx'
import type { Column } from '../../parts/table.tsx'
import { ResourceForm } from '../resources/resource-form.tsx'
import { DeleteResourceType, ResourceTypeForm } from '../resources/resource-type-form.tsx'
import { AppPage, useApp } from './app-page.tsx'

type Doing = 'resource' | 'type' | 'rename type' | 'delete type' | null

/** The first types of an app, and the one that is chosen. */
function useTypes(appId: string, typeId: string) {
  const { data: typeReply } = useQuery({
    ...read(appResourceTypeGet, { path: { app_id: appId, id: typeId } }),
    enabled: typeId !== '',
  })
  const type = (typeId !== '' && typeReply?.appResourceTypeView?.appResourceType) || null
  const { data } = useQuery(read(appResourceTypeList, { path: { app_id: appId }, query: { page_size: 100 } }))
  const types = (data?.list ?? []).flatMap(({ appResourceType }) => (appResourceType ? [appResourceType] : []))
  return { type, types, isRead: data !== undefined }
}

/** What there is in an app to have access to: all of it, or of one type. */
export function AppResources(): ReactNode {
  const { appId, mayHere } = useApp()
  const { may } = useSession()
  const { filter, set } = useListState()
  const [doing, setDoing] = useState<Doing>(null)
  const typeId = filter('type')
  const { type, types: first, isRead } = useTypes(appId, typeId)
  const mayWrite = mayHere('apps.write')

  const make = mayWrite && <CreateButtons hasTypes={first.length > 0} onDo={setDoing} />
  const list = {
    caption: type ? `Resources of the type ${type.displayName}` : 'Resources of the app',
    keyOf: ({ id }: AppResource) => id,
    columns: resourceColumns(first),
    empty: {
      icon: IconBox,
      title: 'This app has no resources',
      children:
        first.length === 0
          ? 'Resources have types, such as repository or group. Create a type first, or import both from a file.'
          : 'Create one here, or import them from a file.',
    },
  }
  const ofType = mayWrite && type && <TypeActions type={type} onDo={setDoing} />
  return (
    <AppPage actions={make}>
      {may('apps.read') ? (
        <DataList
          {...list}
          operation={appResourceSearchAppResources}
          input={({ query, pageSize, pageToken }) => ({
            body: { query, appId, resourceTypeIds: typeId ? [typeId] : [], pageSize, pageToken },
          })}
          rows={({ list: views }) => views.flatMap(({ appResource }) => (appResource ? [appResource] : []))}
          search="Search resources"
          filters={
            <>
              <ResourceTypePicker
                appId={appId}
                label="Type"
                isLabelHidden
                placeholder="Any type"
                chosen={type}
                onPick={({ id }) => set({ type: id })}
                onClear={() => set({ type: '' })}
              />
              {ofType}
            </>
          }
        />
      ) : first[0] ? (
        // The search covers all apps; owners of this one alone get the list of each type.
        <DataList
          {...list}
          operation={appResourceList}
          input={({ pageSize, pageToken }) => ({
            path: { app_id: appId, app_resource_type_id: typeId || (first[0]?.id ?? '') },
            query: { page_size: pageSize, page_token: pageToken },
          })}
          rows={({ list: views }) => views.flatMap(({ appResource }) => (appResource ? [appResource] : []))}
          filters={
            <>
              <NativeSelect
                aria-label="Type"
                value={typeId || first[0].id}
                onChange={({ currentTarget: { value } }) => set({ type: value })}
                data={first.map(({ id, displayName }) => ({ value: id, label: displayName }))}
              />
              {ofType}
            </>
          }
        />
      ) : (
        isRead && <EmptyNote {...list.empty} />
      )}
      <Dialogs doing={doing} type={type} types={first} onClose={() => setDoing(null)} />
    </AppPage>
  )
}

type OnDo = { onDo: (doing: Doing) => void }

const CreateButtons = ({ hasTypes, onDo }: OnDo & { hasTypes: boolean }): ReactNode => (
  <>
    <Button variant="default" onClick={() => onDo('type')}>
      Create type
    </Button>
    <Button leftSection={<IconPlus size={16} aria-hidden />} disabled={!hasTypes} onClick={() => onDo('resource')}>
      Create resource
    </Button>
  </>
)

const TypeActions = ({ type, onDo }: OnDo & { type: AppResourceType }): ReactNode => (
  <RowActions
    size={36}
    actions={[
      {
        label: 'Rename this type',
        name: `Rename the type ${type.displayName}`,
        icon: IconPencil,
        onClick: () => onDo('rename type'),
      },
      {
        label: 'Delete this type',
        name: `Delete the type ${type.displayName}`,
        icon: IconTrash,
        onClick: () => onDo('delete type'),
      },
    ]}
  />
)

type DialogsProps = {
  doing: Doing
  type: AppResourceType | null
  types: readonly AppResourceType[]
  onClose: () => void
}

function Dialogs({ doing, type, types, onClose }: DialogsProps): ReactNode {
  const { appId } = useApp()
  const { set } = useListState()
  const navigate = useNavigate()
  return (
    <>
      {doing === 'resource' && (
        <ResourceForm
          appId={appId}
          types={types}
          type={type ?? undefined}
          onClose={onClose}
          onMade={({ appResourceTypeId, id }) =>
            void navigate({ href: `/apps/${appId}/resources/${appResourceTypeId}/${id}` })
          }
        />
      )}
      {doing === 'type' && <ResourceTypeForm appId={appId} onClose={onClose} onMade={({ id }) => set({ type: id })} />}
      {doing === 'rename type' && type && <ResourceTypeForm appId={appId} type={type} onClose={onClose} />}
      {type && (
        <DeleteResourceType
          opened={doing === 'delete type'}
          type={type}
          onClose={onClose}
          onDeleted={() => set({ type: '' })}
        />
      )}
    </>
  )
}

/** A type that is not among the first of an app, which are read at once. */
function TypeName({ appId, typeId }: { appId: string; typeId: string }): ReactNode {
  const { data } = useQuery(read(appResourceTypeGet, { path: { app_id: appId, id: typeId } }))
  return data?.appResourceTypeView?.appResourceType?.displayName ?? '–'
}

const resourceColumns = (types: readonly AppResourceType[]): readonly Column<AppResource>[] => [
  {
    header: 'Resource',
    cell: ({ id, appId, appResourceTypeId, displayName, description, customDescription }) => (
      <Named
        label={displayName}
        to={`/apps/${appId}/resources/${appResourceTypeId}/${id}`}
        about={customDescription || description}
      />
    ),
  },
  {
    header: 'Type',
    width: '20%',
    cell: ({ appId, appResourceTypeId: typeId }) =>
      types.find(({ id }) => id === typeId)?.displayName ?? <TypeName appId={appId} typeId={typeId} />,
  },
  {
    header: 'Accounts',
    width: '8rem',
    isNumber: true,
    cell: ({ grantCount }) => Number(grantCount).toLocaleString(),
  },
  { header: 'Created', width: '9rem', cell: ({ createdAt }) => <Moment at={createdAt} show="day" /> },
]
