import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Page } from '../../parts/page.tsx'
import { OwnedList } from './owned-list.tsx'

/** What the caller owns: for those who manage only that, the way to it. */
export const Own = (): ReactNode => (
  <Page
    title="What you own"
    about="Apps, entitlements and resources that you own, directly or through an entitlement."
    actions={
      <Anchor component={Link} to="/principals" size="sm">
        Service principals you own
      </Anchor>
    }
  >
    <OwnedList userId="" caption="What you own" nothing="You own nothing" />
  </Page>
)
