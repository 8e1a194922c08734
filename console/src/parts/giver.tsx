import { Anchor } from '@mantine/core'
import type { ReactNode } from 'react'
import type { AccessGiver } from '#client/api/types.ts'
import { useSession } from '../client/session.ts'
import { PageLink } from './page-link.tsx'
import { placeOfRun } from './source-place.ts'

const unnamed: Readonly<Record<string, string>> = {
  manual: 'Manual grant',
  import: 'Import',
  rule: 'Rule',
  request: 'Request',
  profile: 'Access profile',
  directory: 'Directory',
}

/** What each source of access is called. */
export const sourceWords = (source: string): string => unnamed[source] ?? source

type Place = { label: string; to: string; permission: string }

function placeOf(giver: AccessGiver): Place | null {
  const { kind, id, displayName, numericId, appId, appEntitlementId, userId } = giver
  if (kind === 'user') return { label: displayName, to: `/users/${id}`, permission: 'users.read' }
  if (kind === 'import')
    return {
      label: displayName ? `Import of ${displayName}` : 'Import',
      to: `/imports/${id}`,
      permission: 'imports.read',
    }
  if (kind === 'rule_run')
    return {
      label: `Rule ${displayName}`,
      ...placeOfRun({ id, appId, appEntitlementId }),
    }
  if (kind === 'request')
    return { label: `Request #${numericId}`, to: `/tasks/${numericId}`, permission: 'tasks.own.read' }
  if (kind === 'profile')
    return { label: `Access profile ${displayName}`, to: `/profiles/${id}`, permission: 'profiles.read' }
  if (kind === 'removal')
    return {
      label: `Removal of all access: ${displayName}`,
      to: `/users/${userId}/timeline`,
      permission: 'grants.read',
    }
  return null
}

export const giverWords = (giver: AccessGiver | null): string => (giver && placeOf(giver)?.label) ?? ''

/** Who or what granted or ended access, leading to it. Nothing where that is not known. */
export function Giver({ giver }: { giver: AccessGiver | null }): ReactNode {
  const { may } = useSession()
  const place = giver && placeOf(giver)
  if (!place) return null
  return may(place.permission) ? (
    <Anchor component={PageLink} to={place.to} size="sm" underline="always">
      {place.label}
    </Anchor>
  ) : (
    place.label
  )
}
