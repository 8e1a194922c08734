import { nameOf, type Options, type Reader, type Records } from './reader.ts'

/** Names of roles and groups in one cell are separated like this. */
const separator = /\s*[;|]\s*/

/**
 * The lines of the import for the members of an app: the app, one account for each name, one entitlement for each role or group,
 * and their grants. An account that is in several rows has the entitlements of all of them.
 */
export function memberRecords(readers: readonly Reader[], { app = { key: '', name: '' } }: Options): Records['lines'] {
  const lines: Records['lines'] = [{ row: 0, record: { kind: 'app', externalId: app.key, displayName: app.name } }]
  const accounts = new Set<string>()
  const entitlements = new Set<string>()
  const grants = new Set<string>()
  for (const [row, { of, wrong }] of readers.entries()) {
    const account = of('account') || of('accountEmail').toLowerCase()
    if (account === '') {
      wrong('has neither a username nor an email address', 'account', 'accountEmail')
      continue
    }
    const put = (record: object): void => void lines.push({ row, record: { ...record, app: app.key } })
    if (!accounts.has(account)) {
      accounts.add(account)
      put({
        kind: 'account',
        externalId: account,
        displayName: nameOf(of, 'accountName') || of('account') || of('accountEmail'),
        ...(of('accountEmail') !== '' && { email: of('accountEmail') }),
        ...(of('account') !== '' && { username: of('account') }),
        ...(of('accountStatus') !== '' && { status: of('accountStatus') }),
      })
    }
    for (const entitlement of of('entitlements').split(separator)) {
      if (entitlement === '') continue
      if (!entitlements.has(entitlement)) {
        entitlements.add(entitlement)
        put({ kind: 'entitlement', externalId: entitlement, displayName: entitlement })
      }
      const grant = JSON.stringify([account, entitlement])
      if (grants.has(grant)) continue
      grants.add(grant)
      put({
        kind: 'grant',
        entitlement,
        account,
        ...(of('grantedAt') !== '' && { grantedAt: of('grantedAt') }),
        ...(of('expiresAt') !== '' && { expiresAt: of('expiresAt') }),
      })
    }
  }
  return lines
}
