import { may } from '#authority/may.ts'
import { route } from '#authority/route.ts'
import { fieldsToChange, keptIn, updatable } from '#kernel/masks.ts'
import { slot } from '#kernel/memory.ts'
import { nextPageToken } from '#kernel/pages.ts'
import { Refusal } from '#kernel/refusals.ts'
import type { Call } from '#kernel/routes.ts'
import { looseBudget } from '#kernel/shared-budget.ts'
import { transact } from '#kernel/sql.ts'
import {
  duration,
  empty,
  fixed,
  list,
  listOf,
  message,
  nested,
  readOnly,
  required,
  text,
  timestamp,
} from '#kernel/wire.ts'
import { createOwnCredential, forgetCredentials, forgetFamily, getCredential, removeCredential } from './actions.ts'
import { type Change, changeCredential } from './change.ts'
import { familyOf, namedLength } from './decide.ts'
import { listCredentialsOf, searchCredentials } from './store.ts'

// Refused ids are listed in the response: they must not be long.
const roleIds = list(text({ maxLength: 64 }), 100)

const PersonalClient = message(
  'iam.v1.PersonalClient',
  {
    id: readOnly(text()),
    userId: readOnly(text()),
    clientId: readOnly(text()),
    displayName: text({ maxLength: namedLength }),
    allowSourceCidr: list(text()),
    scopedRoles: roleIds,
    expiresTime: fixed(timestamp()),
    lastUsedAt: readOnly(timestamp()),
    createdAt: readOnly(timestamp()),
    updatedAt: readOnly(timestamp()),
    deletedAt: readOnly(timestamp()),
  },
  'An API credential. An empty scopedRoles means full permissions.',
)
const clientReply = (name: string) => message(name, { client: nested(PersonalClient) })
const listReply = (name: string) => message(name, { list: listOf(PersonalClient), nextPageToken })
const UserRef = message('user.v1.UserRef', { id: text() })
const view = <T extends object>(credential: T) => ({ ...credential, deletedAt: null })

/**
 * Each change is an event on the disk. Users who may change only their own are rate-limited; those who administer
 * credentials are not.
 */
const ownChanges = slot((world) => looseBudget(world, 'changes of credentials', { burst: 300, perSecond: 1 }))

function countChange(call: Call): void {
  if (may(call.actor, 'credentials.revoke')) return
  const changes = call.memory(ownChanges)
  const key = `${call.tenant.id} ${call.actor.userId}`
  if (changes.take(key) === null)
    throw new Refusal('TOO_MANY_FAILURES', 'Too many changes of API credentials; try again later.', {
      retryAfterSeconds: changes.waitSeconds(key),
    })
}

export const credentialRoutes = [
  route({
    id: 'iam.v1.PersonalClientService.List',
    at: 'GET /api/v1/iam/personal_clients',
    summary:
      'List your own API credentials. A restricted credential lists only itself and the credentials created with it.',
    rule: 'own-credentials.read',
    paged: true,
    reply: listReply('iam.v1.PersonalClientServiceListResponse'),
    async handle(call, { page }) {
      const whose = { userId: call.actor.userId, kind: 'pcc' } as const
      const rows = await listCredentialsOf(call.db, call.tenant.id, whose, familyOf(call.actor), page)
      return page.cut(rows, (row) => [row.id], view)
    },
  }),
  route({
    id: 'iam.v1.PersonalClientService.Create',
    at: 'POST /api/v1/iam/personal_clients',
    summary:
      'Create an API credential. The client secret is only in this response. A credential that is created with another one expires with it at the latest.',
    rule: 'own-credentials.create',
    secretIn: 'clientSecret',
    body: message('iam.v1.PersonalClientServiceCreateRequest', {
      displayName: required(text({ maxLength: namedLength })),
      expires: duration(),
      allowSourceCidr: list(text()),
      scopedRoles: roleIds,
    }),
    reply: message('iam.v1.PersonalClientServiceCreateResponse', {
      client: nested(PersonalClient),
      clientSecret: text(),
    }),
    async handle(call, { body }) {
      countChange(call)
      const wanted = {
        displayName: body.displayName,
        lifespanSeconds: body.expires,
        allowSourceCidr: body.allowSourceCidr,
        scopedRoles: body.scopedRoles,
      }
      const made = await transact(call.db, (tx) => createOwnCredential(tx, call, wanted))
      return { client: view(made.credential), clientSecret: made.clientSecret }
    },
  }),
  route({
    id: 'iam.v1.PersonalClientService.Get',
    at: 'GET /api/v1/iam/personal_clients/{id}',
    summary: 'Get an API credential.',
    rule: 'own-credentials.read',
    reply: clientReply('iam.v1.PersonalClientServiceGetResponse'),
    handle: async (call, { path }) => ({ client: view(await getCredential(call, path.id)) }),
  }),
  route({
    id: 'iam.v1.PersonalClientService.Update',
    at: 'POST /api/v1/iam/personal_clients/{id}',
    summary: 'Change the name, the allowed IPs or the scope of your own API credential.',
    rule: 'own-credentials.create',
    body: message('iam.v1.PersonalClientServiceUpdateRequest', {
      client: updatable(PersonalClient),
      updateMask: text(),
    }),
    reply: clientReply('iam.v1.PersonalClientServiceUpdateResponse'),
    async handle(call, { path, body }) {
      countChange(call)
      const { client } = body
      const fields = fieldsToChange(client, body.updateMask, ['displayName', 'allowSourceCidr', 'scopedRoles'])
      const wanted: Change = {
        ...(fields.has('displayName') && { displayName: client?.displayName.trim() ?? '' }),
        ...(fields.has('allowSourceCidr') && { allowSourceCidr: [...(client?.allowSourceCidr ?? [])] }),
        ...(fields.has('scopedRoles') && { scopedRoles: [...new Set(client?.scopedRoles ?? [])] }),
      }
      const update = { at: 'client', value: client, updateMask: body.updateMask }
      const credential = await transact(call.db, async (tx) => {
        const changed = await changeCredential(tx, call, path.id, wanted)
        keptIn(PersonalClient, update, view(changed))
        return changed
      })
      forgetFamily(call, credential)
      return { client: view(credential) }
    },
  }),
  route({
    id: 'iam.v1.PersonalClientService.Delete',
    at: 'DELETE /api/v1/iam/personal_clients/{id}',
    summary: 'Delete your own API credential, and those created with it; any credential as Super Administrator.',
    rule: 'own-credentials.revoke',
    body: message('iam.v1.PersonalClientServiceDeleteRequest', {}),
    reply: empty,
    async handle(call, { path }) {
      forgetCredentials(call, await transact(call.db, (tx) => removeCredential(tx, call, path.id)))
      return {}
    },
  }),
  route({
    id: 'iam.v1.PersonalClientSearchService.Search',
    at: 'POST /api/v1/search/iam/personal_clients',
    summary: "Search everyone's API credentials, by name, client id and user; not those of service principals.",
    rule: 'credentials.read',
    paged: true,
    body: message('iam.v1.PersonalClientSearchServiceSearchRequest', {
      query: text({ maxLength: 1000 }),
      users: listOf(UserRef, 100),
    }),
    reply: listReply('iam.v1.PersonalClientSearchServiceSearchResponse'),
    async handle(call, { body, page }) {
      const filter = { query: body.query, userIds: body.users.map((user) => user.id), kind: 'pcc' as const }
      return page.cut(await searchCredentials(call.db, call.tenant.id, filter, page), (row) => [row.id], view)
    },
  }),
]
