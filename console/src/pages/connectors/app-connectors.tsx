import type { ReactNode } from 'react'
import { AppEnforcementPanel } from '../apps/app-enforcement.tsx'
import { AppPage, useApp } from '../apps/app-page.tsx'
import { AddLink, ConnectorsOf } from './connector-list.tsx'

/** The connectors of one app. */
export function AppConnectors(): ReactNode {
  const { appId, mayHere } = useApp()
  return (
    <AppPage actions={<AddLink appId={appId} />}>
      <AppEnforcementPanel appId={appId} mayEdit={mayHere('apps.write')} />
      <ConnectorsOf appId={appId} />
    </AppPage>
  )
}
