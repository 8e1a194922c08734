import type { ReactNode } from 'react'
import { Page } from '../../parts/page.tsx'
import { OwnedList } from './owned-list.tsx'

/** What the caller owns: for those who manage only that, the way to it. */
export const Own = (): ReactNode => (
  <Page
    title="What you own"
    about="Apps, entitlements and resources that you answer for, by name or because of what you hold."
  >
    <OwnedList userId="" caption="What you own" nothing="You own nothing" />
  </Page>
)
