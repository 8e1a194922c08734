import type { ReactNode } from 'react'
import { AppPage, useApp } from '../apps/app-page.tsx'
import { AddLink, ConnectorsOf } from './connector-list.tsx'

/** The connectors of one app. */
export function AppConnectors(): ReactNode {
  const { appId } = useApp()
  return (
    <AppPage actions={<AddLink appId={appId} />}>
      <ConnectorsOf appId={appId} />
    </AppPage>
  )
}
