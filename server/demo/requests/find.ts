import type { NewUser } from '#rooms/identity/users/index.ts'
import type { Company } from '../company.ts'

export type Ref = { appId: string; id: string }

/** What the demo company has, by the names that a person would use. */
export type Finds = {
  app(key: string): string
  /** By path: `source-code:repository:order-api:write`. */
  ref(path: string): Ref
  /** An active person with this title. */
  titled(title: string): NewUser
  /** Those with a title who are here and do not hold something, the longest here first. */
  lacking(title: string, path: string): NewUser[]
}

export function findsIn({ apps, entitlements, users, accounts, grants }: Company): Finds {
  const refs = new Map(entitlements.map(({ externalId, appId, id }) => [externalId, { appId, id }]))
  const owner = new Map(accounts.map(({ id, userId }) => [id, userId]))
  const holders = Map.groupBy(grants, ({ entitlementId }) => entitlementId)
  const known = <T>(found: T | undefined, name: string): T => {
    if (found === undefined) throw new Error(`the demo company has no ${name}`)
    return found
  }
  const here = (title: string) => users.filter(({ jobTitle, status }) => jobTitle === title && status === 'ENABLED')
  const ref = (path: string): Ref => known(refs.get(`larkfield:app:${path}`), path)
  return {
    app: (key) =>
      known(
        apps.find(({ externalId }) => externalId === `larkfield:app:${key}`),
        key,
      ).id,
    ref,
    titled: (title) => known(here(title)[0], title),
    lacking(title, path) {
      const having = new Set((holders.get(ref(path).id) ?? []).map(({ accountId }) => owner.get(accountId)))
      return here(title).filter(({ id }) => !having.has(id))
    },
  }
}
