import { route } from '#authority/route.ts'
import { showNames } from '#authority/sight/index.ts'
import type { Route } from '#kernel/routes.ts'
import { described, flag, listOf, message, nested, text, timestamp } from '#kernel/wire.ts'
import { findUsers, getUser } from '#rooms/identity/users/index.ts'
import { inOrder, isSaid, saidOf, sourcesOf, winnerOf } from './decide.ts'
import { attributes } from './said.ts'
import { listDirectoryNames, listLinksOf } from './store.ts'

const ToldValue = message('user.v1.UserAttributeValue', {
  appId: described(text(), 'The directory.'),
  directoryName: text(),
  appUserId: described(text(), 'The account there.'),
  value: described(text(), 'As text; for a manager, the id of the user.'),
})
const AttributeSources = message('user.v1.UserAttributeSources', {
  attribute: described(text(), 'Such as department, status, or profile.costCenter.'),
  value: described(text(), 'The value of the user.'),
  source: described(nested(ToldValue), 'Where the value comes from. Absent if no directory provides it.'),
  since: described(timestamp(), 'Since when the value comes from there.'),
  isOverwritten: described(flag(), 'The value differs from its source: an import or a person has changed it since.'),
  others: described(listOf(ToldValue), 'The values in other directories, in order of precedence. They are not used.'),
})

/** A profile may contain any JSON. */
function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join(', ')
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

export const sourceRoutes: readonly Route[] = [
  route({
    id: 'user.v1.UserAttributes.ListSources',
    at: 'GET /api/v1/users/{user_id}/attributes/sources',
    summary: 'Get the source of each attribute of a user: the directory, since when, and the values that are not used.',
    rule: 'users.read',
    reply: message('user.v1.UserAttributesListSourcesResponse', { list: listOf(AttributeSources) }),
    async handle(call, { path }) {
      const user = await getUser(call, path.user_id)
      const links = await listLinksOf(call.db, call.tenant.id, [user.id])
      const noted = sourcesOf(user.sources, links)
      const appIds = [...links.map(({ appId }) => appId), ...Object.values(noted).map(([appId]) => appId)]
      const names = await listDirectoryNames(call.db, call.tenant.id, appIds)
      const keys = new Set([
        ...attributes,
        ...Object.keys(user.profile).map((name) => `profile.${name}`),
        ...links.flatMap(({ said }) => Object.keys(said.profile).map((name) => `profile.${name}`)),
      ])
      const managers = await findUsers(call.db, call.tenant.id, user.managerIds, call.now())
      showNames(
        call,
        managers.map(({ id }) => id),
      )
      const values: Record<string, unknown> = {
        ...user,
        status: user.directoryStatus,
        manager: user.managerIds[0] ?? '',
      }
      const list = [...keys].map((attribute) => {
        const value = textOf(
          attribute.startsWith('profile.') ? user.profile[attribute.slice('profile.'.length)] : values[attribute],
        )
        const said = inOrder(links, attribute).filter((link) => isSaid(saidOf(link, attribute)))
        const toldBy = (appId: string, accountId: string, of: string) => ({
          appId,
          directoryName: names.get(appId) ?? '',
          appUserId: accountId,
          value: of,
        })
        const source = noted[attribute]
        const winner = winnerOf(links, attribute)
        const saidNow = winner ? textOf(saidOf(winner, attribute)) : value
        return {
          attribute,
          value,
          source: source ? toldBy(source[0], source[1], saidNow) : null,
          since: source ? new Date(source[2]) : null,
          isOverwritten: source !== undefined && saidNow !== value,
          others: said
            .filter(({ accountId }) => accountId !== source?.[1])
            .map((link) => toldBy(link.appId, link.accountId, textOf(saidOf(link, attribute)))),
        }
      })
      return { list: list.filter(({ value, source, others }) => value !== '' || source || others.length > 0) }
    },
  }),
]
