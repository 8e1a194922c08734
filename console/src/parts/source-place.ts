/** Where something that gives or revokes access can be opened, and what one needs for it. */
export type SourcePlace = { to: string; permission: string; title: string }

type Source = { id: string; appId: string; appEntitlementId: string; connectorId?: string }

/** The page of what is named as the source of access; null where there is none. */
export function placeOfSource(
  kind: string,
  { id, appId, appEntitlementId, connectorId = '' }: Source,
): SourcePlace | null {
  if (kind === 'directory' && appId !== '')
    return { to: `/directories/${appId}`, permission: 'directories.read', title: 'Show directory' }
  if (id === '') return null
  if (kind === 'import') return { to: `/imports/${id}`, permission: 'imports.read', title: 'Show import' }
  if (kind === 'request') return { to: `/tasks/${id}`, permission: 'tasks.own.read', title: 'Show request' }
  if (kind === 'profile') return { to: `/profiles/${id}`, permission: 'profiles.read', title: 'Show access profile' }
  if (kind === 'connector' && connectorId !== '') {
    const to = `/apps/${appId}/connectors/${connectorId}/tasks`
    return { to, permission: 'apps.read', title: 'Show tasks of the connector' }
  }
  if (kind === 'rule') {
    const to = `/apps/${appId}/entitlements/${appEntitlementId}/runs`
    return { to, permission: 'automations.read', title: 'Show runs of the rule' }
  }
  return null
}
