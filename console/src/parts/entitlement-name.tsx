import { Anchor, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { appEntitlementsGet, appsGet } from '#client/api/operations.ts'
import { read } from '../client/queries.ts'

type EntitlementNameProps = { appId: string; entitlementId: string }

const knownMs = 300_000

/** What an entitlement and its app are called; the id where the caller may not know. */
function useEntitlementName({ appId, entitlementId }: EntitlementNameProps): {
  name: string
  isPending: boolean
} {
  const path = { app_id: appId, id: entitlementId }
  const { data, isPending } = useQuery({ ...read(appEntitlementsGet, { path }), staleTime: knownMs })
  const { data: of } = useQuery({ ...read(appsGet, { path: { id: appId } }), staleTime: knownMs })
  const name = data?.appEntitlementView?.appEntitlement?.displayName ?? entitlementId
  return { name: of?.app ? `${name} (${of.app.displayName})` : name, isPending }
}

/** An entitlement, by id: its name and its app's, leading to its page. */
export function EntitlementName(of: EntitlementNameProps): ReactNode {
  const { name, isPending } = useEntitlementName(of)
  if (isPending) return <Skeleton component="span" display="inline-block" width="8rem" />
  return (
    <Anchor component={Link} to={`/apps/${of.appId}/entitlements/${of.entitlementId}`} size="sm" underline="always">
      {name}
    </Anchor>
  )
}
