import type { ReactNode } from 'react'
import { useSession } from '../../client/session.ts'
import { AppPage, useApp } from '../apps/app-page.tsx'
import { appOwners } from './kinds.ts'
import { OwnersEditor } from './owners-editor.tsx'

/** Who owns an app. Its owners themselves do not decide that. */
export function AppOwners(): ReactNode {
  const { appId, app } = useApp()
  const { may } = useSession()
  return (
    <AppPage>
      <OwnersEditor
        owned={{ of: 'app', operations: appOwners, path: { app_id: appId } }}
        name={app?.displayName ?? 'this app'}
        mayChange={may('owners.write')}
      />
    </AppPage>
  )
}
