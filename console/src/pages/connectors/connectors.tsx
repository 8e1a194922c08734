import type { ReactNode } from 'react'
import { Page } from '../../parts/page.tsx'
import { AddLink, AllConnectors } from './connector-list.tsx'

/** The connectors of all apps. */
export const Connectors = (): ReactNode => (
  <Page
    title="Connectors"
    about="They read who has access to what in your apps, and give and remove it there."
    actions={<AddLink />}
  >
    <AllConnectors />
  </Page>
)
