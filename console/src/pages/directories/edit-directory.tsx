import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { directoriesGetState, directoryGet } from '#client/api/operations.ts'
import { read } from '../../client/queries.ts'
import { ErrorNote } from '../../parts/error-note.tsx'
import { ForWriters } from './for-writers.tsx'
import { termsOf } from './terms.ts'
import { TermsEditor } from './terms-editor.tsx'

/** Changes which accounts of an app become users, and by which keys they are matched. */
export function EditDirectory(): ReactNode {
  const { appId = '' } = useParams({ strict: false })
  const { data: state } = useQuery(read(directoriesGetState, { path: { app_id: appId } }))
  const { data, error, refetch } = useQuery(read(directoryGet, { path: { app_id: appId } }))
  const directory = data?.directoryView?.directory
  return (
    <ForWriters
      title={state ? `Edit ${state.displayName}` : error ? 'Edit the directory' : null}
      above={[
        { label: 'Directories', to: '/directories' },
        ...(state ? [{ label: state.displayName, to: `/directories/${appId}` }] : []),
      ]}
    >
      {error ? (
        <ErrorNote error={error} title="This directory cannot be shown" retry={() => void refetch()} />
      ) : directory && state ? (
        <TermsEditor
          appId={appId}
          saved={termsOf(directory)}
          isNew={false}
          lack={state.usesScim ? 'A directory that uses SCIM matches its users by email address.' : null}
        />
      ) : (
        <Skeleton height={420} />
      )}
    </ForWriters>
  )
}
