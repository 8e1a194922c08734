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
  if (kind === 'rule') return placeOfRun({ id, appId, appEntitlementId })
  if (id === '') return null
  if (kind === 'import') return { to: `/imports/${id}`, permission: 'imports.read', title: 'Show import' }
  if (kind === 'request') return { to: `/tasks/${id}`, permission: 'tasks.own.read', title: 'Show request' }
  if (kind === 'profile') return { to: `/profiles/${id}`, permission: 'profiles.read', title: 'Show access profile' }
  if (kind === 'connector' && connectorId !== '') {
    const to = `/apps/${appId}/connectors/${connectorId}/tasks`
    return { to, permission: 'apps.read', title: 'Show tasks of the connector' }
  }
  return null
}

/** The run of a rule; the rule itself where the run is not known. */
export function placeOfRun({ id, appId, appEntitlementId }: Source): SourcePlace {
  const of = `/apps/${appId}/entitlements/${appEntitlementId}`
  const permission = 'automations.read'
  return id === ''
    ? { to: `${of}/automation`, permission, title: 'Show rule' }
    : { to: `${of}/runs?run=${id}`, permission, title: 'Show run of the rule' }
}
