import type { ConnectorCatalogEntry, ConnectorSetting } from '#client/api/types.ts'

type Entry = Pick<ConnectorCatalogEntry, 'settings' | 'groups'>

/** The settings of one way to sign in to the app, and those that belong to none. */
export function settingsFor({ settings, groups }: Entry, group: string): ConnectorSetting[] {
  const others = new Set(groups.filter(({ name }) => name !== group).flatMap((each) => each.settings))
  const own = new Set(groups.find(({ name }) => name === group)?.settings)
  return settings.filter(({ name }) => own.has(name) || !others.has(name))
}

/** The way to sign in that is chosen first. */
export const usualGroup = ({ groups }: Pick<Entry, 'groups'>): string =>
  groups.find(({ isDefault }) => isDefault)?.name ?? groups[0]?.name ?? ''
