import { mayEverywhere } from '#authority/may.ts'
import { route } from '#authority/route.ts'
import { showRecords } from '#authority/sight/index.ts'
import { fieldsToChange, isForAll, keptIn, updatable } from '#kernel/masks.ts'
import { slot } from '#kernel/memory.ts'
import { nextPageToken } from '#kernel/pages.ts'
import { invalid, Refusal } from '#kernel/refusals.ts'
import type { Call, Route } from '#kernel/routes.ts'
import { looseBudget } from '#kernel/shared-budget.ts'
import { transact } from '#kernel/sql.ts'
import {
  described,
  duration,
  empty,
  flag,
  list,
  listOf,
  message,
  nested,
  neverSet,
  required,
  text,
} from '#kernel/wire.ts'
import {
  forgetCredentials,
  forgetUser,
  getPrincipalCredential,
  isWithin,
  listCredentialsOf,
  namedLength,
} from '#rooms/identity/credentials/index.ts'
import { findUsers, type User } from '#rooms/identity/users/index.ts'
import {
  createPrincipal,
  createPrincipalCredential,
  deletePrincipal,
  familyFor,
  getPrincipal,
  renamePrincipal,
  renamePrincipalCredential,
  revokePrincipalCredential,
} from './actions.ts'
import { listOwnedPrincipals } from './owners.ts'
import { listPrincipalIds } from './store.ts'
import {
  otherUserProblems,
  ServicePrincipal,
  ServicePrincipalCredential,
  viewCredential,
  viewPrincipal,
} from './view.ts'

const service = 'service_principal.v1.ServicePrincipalService'
const base = '/api/v1/service_principals'
const request = (name: string) => `service_principal.v1.ServicePrincipalService${name}Request`
const response = (name: string) => `service_principal.v1.ServicePrincipalService${name}Response`
const principalReply = (name: string) => message(response(name), { servicePrincipal: nested(ServicePrincipal) })
const credentialReply = (name: string) => message(response(name), { credential: nested(ServicePrincipalCredential) })

/** Each change is an event on the disk: owners are rate-limited, administrators are not. */
const ownChanges = slot((world) =>
  looseBudget(world, 'changes of service principals by owners', { burst: 300, perSecond: 1 }),
)

function countChange(call: Call): void {
  if (mayEverywhere(call.actor, 'principals.edit')) return
  const changes = call.memory(ownChanges)
  const key = `${call.tenant.id} ${call.actor.userId}`
  if (changes.take(key) === null)
    throw new Refusal('TOO_MANY_FAILURES', 'Too many changes of service principals; try again later.', {
      retryAfterSeconds: changes.waitSeconds(key),
    })
}

/** A caller who was admitted owns it, or may see all. */
function show(call: Call, user: User, isOwner = call.actor.permissionsEverywhere !== undefined) {
  showRecords(call, [user.id])
  return viewPrincipal(call, user, isOwner)
}

const showCredential = (call: Call, principalId: string, credential: Parameters<typeof viewCredential>[0]) => {
  showRecords(call, [principalId])
  return viewCredential(credential)
}

const unavailable = (): never => {
  throw new Refusal(
    'FUNCTIONS_UNAVAILABLE',
    "A binding lets a function in the vendor's cloud act as a service principal. Bailiwick does not run functions, so there is nothing to bind. Run the program yourself, with a credential of the service principal.",
  )
}
const bindingSummary =
  "Always refused with FUNCTIONS_UNAVAILABLE: a binding lets a function in the vendor's cloud act as a service principal, and Bailiwick does not run functions."
const BindingSubject = message('service_principal.v1.ServicePrincipalBindingSubject', { functionId: text() })
const noFunctions = 'Bindings are for functions, which Bailiwick does not run.'
const subject = neverSet(nested(BindingSubject), noFunctions)
const bindingFields = { servicePrincipalId: neverSet(text(), noFunctions), subject }

const bindingRoutes: Route[] = [
  route({
    id: `${service}.AddBinding`,
    at: 'POST /api/v1/service_principals/bindings',
    summary: bindingSummary,
    rule: 'principals.change-bindings',
    body: message(request('AddBinding'), bindingFields),
    reply: empty,
    handle: unavailable,
  }),
  route({
    id: `${service}.ListBindings`,
    at: 'POST /api/v1/service_principals/bindings/list',
    summary: bindingSummary,
    rule: 'principals.read',
    body: message(request('ListBindings'), { subject }),
    reply: empty,
    handle: unavailable,
  }),
  route({
    id: `${service}.DeleteBinding`,
    at: 'POST /api/v1/service_principals/bindings/delete',
    summary: bindingSummary,
    rule: 'principals.change-bindings',
    body: message(request('DeleteBinding'), bindingFields),
    reply: empty,
    handle: unavailable,
  }),
]

export const principalRoutes: readonly Route[] = [
  route({
    id: `${service}.List`,
    at: `GET ${base}`,
    summary: 'List the service principals that you own, or all if you may see them, in order of creation.',
    rule: 'principals.list',
    paged: true,
    reply: message(response('List'), { list: listOf(ServicePrincipal), nextPageToken }),
    async handle(call, { page }) {
      const owned = await listOwnedPrincipals(call)
      const among = mayEverywhere(call.actor, 'principals.read') ? null : owned
      const ids = page.cut(
        await listPrincipalIds(call.db, call.tenant.id, among, page),
        (id) => [id],
        (id) => id,
      )
      const found = await findUsers(call.db, call.tenant.id, ids.list, call.now())
      const byId = new Map(found.map((user) => [user.id, user]))
      const users = ids.list.flatMap((id) => byId.get(id) ?? [])
      return { list: users.map((user) => show(call, user, owned.includes(user.id))), nextPageToken: ids.nextPageToken }
    },
  }),
  route({
    id: `${service}.Create`,
    at: `POST ${base}`,
    summary: 'Create a service principal. It has no role until one is granted.',
    rule: 'principals.create',
    body: message(request('Create'), { displayName: required(text({ maxLength: namedLength })) }),
    reply: principalReply('Create'),
    async handle(call, { body }) {
      const id = await transact(call.db, (tx) => createPrincipal(tx, call, body.displayName))
      return { servicePrincipal: show(call, await getPrincipal(call, id)) }
    },
  }),
  route({
    id: `${service}.Get`,
    at: `GET ${base}/{id}`,
    summary: 'Get a service principal.',
    rule: 'principal.read',
    about: { user: 'id' },
    reply: principalReply('Get'),
    handle: async (call, { path }) => ({ servicePrincipal: show(call, await getPrincipal(call, path.id)) }),
  }),
  route({
    id: `${service}.Update`,
    at: `PATCH ${base}/{id}`,
    summary: 'Rename a service principal. To change its roles and status, use the operations for users.',
    rule: 'principal.edit',
    about: { user: 'id' },
    body: message(request('Update'), { servicePrincipal: updatable(ServicePrincipal), updateMask: text() }),
    reply: principalReply('Update'),
    async handle(call, { path, body }) {
      countChange(call)
      const { servicePrincipal: value, updateMask } = body
      const fields = fieldsToChange(value, updateMask, ['displayName'])
      const name = fields.has('displayName') ? (value?.displayName ?? '') : null
      const before = await getPrincipal(call, path.id)
      const [first, ...others] = otherUserProblems(value?.user, before)
      if (first && isForAll(updateMask)) throw invalid(first, ...others)
      keptIn(ServicePrincipal, { at: 'servicePrincipal', value, updateMask }, show(call, before))
      await transact(call.db, (tx) => renamePrincipal(tx, call, path.id, name))
      return { servicePrincipal: show(call, await getPrincipal(call, path.id)) }
    },
  }),
  route({
    id: `${service}.Delete`,
    at: `DELETE ${base}/{id}`,
    summary: 'Delete a service principal and revoke its credentials. Its activity is kept in the system log.',
    rule: 'principals.delete',
    body: message(request('Delete'), {}),
    reply: empty,
    async handle(call, { path }) {
      forgetCredentials(call, await transact(call.db, (tx) => deletePrincipal(tx, call, path.id)))
      await forgetUser(call, path.id)
      return {}
    },
  }),
  route({
    id: `${service}.ListCredentials`,
    at: `GET ${base}/{service_principal_id}/credentials`,
    summary: 'List the credentials of a service principal, without their secrets.',
    rule: 'principal.read',
    about: { user: 'service_principal_id' },
    paged: true,
    reply: message(response('ListCredentials'), { list: listOf(ServicePrincipalCredential), nextPageToken }),
    async handle(call, { path, page }) {
      const { id } = await getPrincipal(call, path.service_principal_id)
      const family = familyFor(call, 'principals.read')
      const rows = await listCredentialsOf(call.db, call.tenant.id, { userId: id, kind: 'spc' }, family, page)
      return page.cut(
        rows,
        (row) => [row.id],
        (row) => showCredential(call, id, row),
      )
    },
  }),
  route({
    id: `${service}.CreateCredential`,
    at: `POST ${base}/{service_principal_id}/credentials`,
    summary:
      'Create a credential of a service principal. The client secret is only in this response. A credential that is created with an access token ends with the credential of that token, at the latest.',
    rule: 'principal.create-credential',
    about: { user: 'service_principal_id' },
    secretIn: 'clientSecret',
    body: message(request('CreateCredential'), {
      displayName: text({ maxLength: namedLength }),
      expires: described(duration(), 'The lifetime: at most 15552000s (180 days), and 7776000s (90 days) by default.'),
      allowSourceCidrs: described(list(text(), 1000), 'At most 32 CIDR blocks or addresses.'),
      scopedRoles: list(text({ maxLength: 64 }), 100),
      requireDpop: described(
        flag(),
        'Issue access tokens only with a DPoP proof (RFC 9449), bound to its key: a copied token cannot be used without that key.',
      ),
    }),
    reply: message(response('CreateCredential'), {
      credential: nested(ServicePrincipalCredential),
      clientSecret: text(),
    }),
    async handle(call, { path, body }) {
      countChange(call)
      const { displayName, expires: expiresSeconds, allowSourceCidrs, scopedRoles, requireDpop } = body
      const wanted = { displayName, expiresSeconds, allowSourceCidr: allowSourceCidrs, scopedRoles, requireDpop }
      const id = path.service_principal_id
      const made = await transact(call.db, (tx) => createPrincipalCredential(tx, call, id, wanted))
      return { credential: showCredential(call, id, made.credential), clientSecret: made.clientSecret }
    },
  }),
  route({
    id: `${service}.GetCredential`,
    at: `GET ${base}/{service_principal_id}/credentials/{id}`,
    summary: 'Get a credential of a service principal, without its secret.',
    rule: 'principal.read',
    about: { user: 'service_principal_id' },
    reply: credentialReply('GetCredential'),
    async handle(call, { path }) {
      const ref = { principalId: path.service_principal_id, id: path.id }
      await getPrincipal(call, ref.principalId)
      const family = familyFor(call, 'principals.read')
      const credential = await getPrincipalCredential(call, ref, (each) => isWithin(family, each))
      return { credential: showCredential(call, ref.principalId, credential) }
    },
  }),
  route({
    id: `${service}.UpdateCredential`,
    at: `PATCH ${base}/{service_principal_id}/credentials/{id}`,
    summary: 'Rename a credential of a service principal. Nothing else can be changed.',
    rule: 'principal.edit',
    about: { user: 'service_principal_id' },
    body: message(request('UpdateCredential'), {
      credential: updatable(ServicePrincipalCredential),
      updateMask: text(),
    }),
    reply: credentialReply('UpdateCredential'),
    async handle(call, { path, body }) {
      countChange(call)
      const ref = { principalId: path.service_principal_id, id: path.id }
      const fields = fieldsToChange(body.credential, body.updateMask, ['displayName'])
      const name = fields.has('displayName') ? (body.credential?.displayName ?? '') : null
      const credential = await transact(call.db, (tx) => renamePrincipalCredential(tx, call, ref, name))
      return { credential: showCredential(call, ref.principalId, credential) }
    },
  }),
  route({
    id: `${service}.RevokeCredential`,
    at: `DELETE ${base}/{service_principal_id}/credentials/{id}`,
    summary: 'Revoke a credential of a service principal, and those created with it.',
    rule: 'principal.edit',
    about: { user: 'service_principal_id' },
    body: message(request('RevokeCredential'), {}),
    reply: empty,
    async handle(call, { path }) {
      const ref = { principalId: path.service_principal_id, id: path.id }
      forgetCredentials(call, await transact(call.db, (tx) => revokePrincipalCredential(tx, call, ref)))
      return {}
    },
  }),
  ...bindingRoutes,
]
