import { Anchor } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { servicePrincipalList } from '#client/api/operations.ts'
import { read } from '../../client/queries.ts'
import { useSession } from '../../client/session.ts'
import { Page } from '../../parts/page.tsx'
import { OwnedList } from './owned-list.tsx'

/** What the caller owns: for those who manage only that, the way to it. */
export function Own(): ReactNode {
  const { may } = useSession()
  const principals = useQuery({
    ...read(servicePrincipalList, { query: { page_size: 10 } }),
    enabled: !may('principals.read'),
  })
  return (
    <Page
      about="Apps, entitlements and resources that you own, directly or through an entitlement."
      actions={
        (principals.data?.list.length ?? 0) > 0 && (
          <Anchor component={Link} to="/principals" size="sm">
            Service principals you own
          </Anchor>
        )
      }
    >
      <OwnedList
        userId=""
        caption="What you own"
        nothing="You own nothing"
        about="Owners decide requests for what they own. The owners of an app, or an administrator, can add you."
      />
    </Page>
  )
}
