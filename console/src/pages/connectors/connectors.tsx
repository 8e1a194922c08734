import type { ReactNode } from 'react'
import { Page } from '../../parts/page.tsx'
import { AddLink, AllConnectors } from './connector-list.tsx'

/** The connectors of all apps. */
export const Connectors = (): ReactNode => (
  <Page
    about="Connectors read who has access to what in your apps, and grant and revoke access there."
    actions={<AddLink />}
  >
    <AllConnectors />
  </Page>
)
