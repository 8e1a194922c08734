import type { ReactNode } from 'react'
import { Page } from '../../parts/page.tsx'
import { AddLink, AllConnectors } from './connector-list.tsx'

/** The connectors of all apps. */
export const Connectors = (): ReactNode => (
  <Page
    title="Connectors"
    about="Programs that you run next to your apps. They read who has access to what, and send it here."
    actions={<AddLink />}
  >
    <AllConnectors />
  </Page>
)
