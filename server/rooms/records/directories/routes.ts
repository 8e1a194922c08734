import { route } from '#authority/route.ts'
import { nextPageToken } from '#kernel/pages.ts'
import type { Call, Route } from '#kernel/routes.ts'
import { transact } from '#kernel/sql.ts'
import {
  described,
  duration,
  empty,
  flag,
  int32,
  listOf,
  message,
  nested,
  required,
  text,
  timestamp,
} from '#kernel/wire.ts'
import { changeDirectory, createDirectory, getDirectory, getScimDirectory, removeDirectory } from './actions.ts'
import type { Directory } from './directory.ts'
import { confirmHeld, dismissHeld } from './held/actions.ts'
import { sourceRoutes } from './people/routes.ts'
import { publishedRoutes } from './published/routes.ts'
import { scimPrefix } from './scim/door.ts'
import { listHeld } from './scim/users/store.ts'
import { countIn, listDirectories } from './store.ts'
import { createToken, revokeToken } from './tokens/actions.ts'
import { listTokenPage } from './tokens/store.ts'
import { DirectoryMessage, TokenMessage, viewDirectory, viewToken } from './view.ts'

const base = (call: Call): string => `${call.origin}${scimPrefix}`
const presented = async (call: Call, directory: Directory) =>
  viewDirectory(base(call), directory, await countIn(call.db, call.tenant.id, directory.appId))

const directoryReply = (name: string) => message(name, { directory: nested(DirectoryMessage) })
const decidedReply = (name: string) => message(name, { count: described(int32(), 'How many users were affected.') })

const HeldUser = message('directory.v1.HeldUser', {
  appUserId: text(),
  userId: text(),
  displayName: text(),
  isDeleted: described(flag(), 'The directory deleted the account instead of deactivating it.'),
  heldSince: timestamp(),
})
const tokenText = described(text(), 'The token. It is shown only once.')
const expires = described(duration(), 'How long the token is valid. If absent, it never expires.')

export const directoryRoutes: readonly Route[] = [
  ...publishedRoutes,
  ...sourceRoutes,
  route({
    id: 'directory.v1.ScimDirectories.List',
    at: 'GET /api/v1/scim-directories',
    summary: 'List the directories that send users and groups by SCIM.',
    rule: 'directories.read',
    paged: true,
    reply: message('directory.v1.ScimDirectoriesListResponse', { list: listOf(DirectoryMessage), nextPageToken }),
    async handle(call, { page }) {
      const rows = await listDirectories(call.db, call.tenant.id, page, 'scim')
      const views = new Map<string, Awaited<ReturnType<typeof presented>>>()
      for (const row of rows) views.set(row.appId, await presented(call, row))
      return page.cut(
        rows,
        ({ appId }) => [appId],
        ({ appId }) => views.get(appId) as NonNullable<ReturnType<typeof views.get>>,
      )
    },
  }),
  route({
    id: 'directory.v1.ScimDirectories.Create',
    at: 'POST /api/v1/scim-directories',
    summary: 'Create a directory, with an app for its accounts and a first token, which is shown only once.',
    rule: 'directories.change',
    secretIn: 'token',
    body: message('directory.v1.ScimDirectoriesCreateRequest', {
      displayName: required(text()),
      doNotLinkExistingUsers: described(flag(), 'Refuse users whose email address belongs to an existing user.'),
      expires,
    }),
    reply: message('directory.v1.ScimDirectoriesCreateResponse', {
      directory: nested(DirectoryMessage),
      tokenInfo: nested(TokenMessage),
      token: tokenText,
    }),
    async handle(call, { body }) {
      const wanted = {
        displayName: body.displayName,
        linkExistingUsers: !body.doNotLinkExistingUsers,
        lifespanSeconds: body.expires,
      }
      const { directory, made } = await transact(call.db, (tx) => createDirectory(tx, call, wanted))
      return {
        directory: await presented(call, directory),
        tokenInfo: viewToken(made.token),
        token: made.text,
      }
    },
  }),
  route({
    id: 'directory.v1.ScimDirectories.Get',
    at: 'GET /api/v1/scim-directories/{app_id}',
    summary: 'Get a directory: its address, the number of its users and groups, and the last refused request.',
    rule: 'directories.read',
    reply: directoryReply('directory.v1.ScimDirectoriesGetResponse'),
    async handle(call, { path }) {
      return { directory: await presented(call, await getScimDirectory(call, path.app_id)) }
    },
  }),
  route({
    id: 'directory.v1.ScimDirectories.Update',
    at: 'POST /api/v1/scim-directories/{app_id}',
    summary: 'Change whether existing users become users of a directory. To rename the directory, rename its app.',
    rule: 'directories.change',
    body: message('directory.v1.ScimDirectoriesUpdateRequest', { linkExistingUsers: flag() }),
    reply: directoryReply('directory.v1.ScimDirectoriesUpdateResponse'),
    async handle(call, { path, body }) {
      const changed = await transact(call.db, (tx) => changeDirectory(tx, call, path.app_id, body.linkExistingUsers))
      return { directory: await presented(call, changed) }
    },
  }),
  route({
    id: 'directory.v1.ScimDirectories.Delete',
    at: 'DELETE /api/v1/scim-directories/{app_id}',
    summary: 'Delete a directory with its tokens. Its app, users and groups stay as they are.',
    rule: 'directories.change',
    body: message('directory.v1.ScimDirectoriesDeleteRequest', {}),
    reply: empty,
    async handle(call, { path }) {
      await transact(call.db, (tx) => removeDirectory(tx, call, path.app_id))
      return {}
    },
  }),
  route({
    id: 'directory.v1.ScimTokens.List',
    at: 'GET /api/v1/scim-directories/{app_id}/tokens',
    summary: 'List the tokens of a directory that were not revoked, without their secrets.',
    rule: 'directories.read',
    paged: true,
    reply: message('directory.v1.ScimTokensListResponse', { list: listOf(TokenMessage), nextPageToken }),
    async handle(call, { path, page }) {
      await getScimDirectory(call, path.app_id)
      const rows = await listTokenPage(call.db, call.tenant.id, path.app_id, page)
      return page.cut(rows, ({ id }) => [id], viewToken)
    },
  }),
  route({
    id: 'directory.v1.ScimTokens.Create',
    at: 'POST /api/v1/scim-directories/{app_id}/tokens',
    summary: 'Create a token of a directory. It is shown only once. With an overlap, the other tokens expire after it.',
    rule: 'directories.change',
    secretIn: 'token',
    body: message('directory.v1.ScimTokensCreateRequest', {
      expires,
      overlap: described(duration(), 'How long the other tokens stay valid. If absent, they are not changed.'),
    }),
    reply: message('directory.v1.ScimTokensCreateResponse', { tokenInfo: nested(TokenMessage), token: tokenText }),
    async handle(call, { path, body }) {
      const wanted = { lifespanSeconds: body.expires, overlapSeconds: body.overlap }
      const { token, text: secret } = await transact(call.db, (tx) => createToken(tx, call, path.app_id, wanted))
      return { tokenInfo: viewToken(token), token: secret }
    },
  }),
  route({
    id: 'directory.v1.ScimTokens.Revoke',
    at: 'DELETE /api/v1/scim-directories/{app_id}/tokens/{token_id}',
    summary: 'Revoke a token of a directory: it is refused from the next request on.',
    rule: 'directories.change',
    body: message('directory.v1.ScimTokensRevokeRequest', {}),
    reply: empty,
    async handle(call, { path }) {
      await transact(call.db, (tx) => revokeToken(tx, call, path.app_id, path.token_id))
      return {}
    },
  }),
  route({
    id: 'directory.v1.ScimHeld.List',
    at: 'GET /api/v1/scim-directories/{app_id}/held',
    summary: 'List the users whose deactivation is held.',
    rule: 'directories.read',
    paged: true,
    reply: message('directory.v1.ScimHeldListResponse', { list: listOf(HeldUser), nextPageToken }),
    async handle(call, { path, page }) {
      await getDirectory(call, path.app_id)
      const rows = await listHeld(call.db, call.tenant.id, path.app_id, String(page.after?.[0] ?? ''), page.limit)
      return page.cut(
        rows,
        ({ id }) => [id],
        ({ id, since, ...user }) => ({ ...user, appUserId: id, heldSince: since }),
      )
    },
  }),
  route({
    id: 'directory.v1.ScimHeld.Confirm',
    at: 'POST /api/v1/scim-directories/{app_id}/held/confirm',
    summary: 'Disable all users whose deactivation is held.',
    rule: 'directories.change',
    body: message('directory.v1.ScimHeldConfirmRequest', {}),
    reply: decidedReply('directory.v1.ScimHeldConfirmResponse'),
    async handle(call, { path }) {
      return { count: await confirmHeld(call, path.app_id) }
    },
  }),
  route({
    id: 'directory.v1.ScimHeld.Dismiss',
    at: 'POST /api/v1/scim-directories/{app_id}/held/dismiss',
    summary: 'Dismiss the held deactivations: the users stay enabled.',
    rule: 'directories.change',
    body: message('directory.v1.ScimHeldDismissRequest', {}),
    reply: decidedReply('directory.v1.ScimHeldDismissResponse'),
    async handle(call, { path }) {
      return { count: await dismissHeld(call, path.app_id) }
    },
  }),
]
