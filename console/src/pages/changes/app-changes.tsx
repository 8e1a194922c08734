import type { ReactNode } from 'react'
import { changesListOfApp, changesSummarizeOfApp } from '#client/api/operations.ts'
import { AppPage, useApp } from '../apps/app-page.tsx'
import { Compare } from './compare.tsx'

/** What changed in an app between two moments. */
export function AppChanges(): ReactNode {
  const { appId, app } = useApp()
  const path = { app_id: appId }
  return (
    <AppPage>
      <Compare
        of={app?.displayName ?? 'the app'}
        summary={(query) => [changesSummarizeOfApp, { path, query }]}
        list={[changesListOfApp, (query) => ({ path, query })]}
      />
    </AppPage>
  )
}
