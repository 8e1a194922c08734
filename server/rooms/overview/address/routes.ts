import { route } from '#authority/route.ts'
import { canonicalHost } from '#kernel/hosts.ts'
import { nextPageToken } from '#kernel/pages.ts'
import type { Route } from '#kernel/routes.ts'
import { transact } from '#kernel/sql.ts'
import {
  described,
  empty,
  flag,
  int32,
  listOf,
  message,
  nested,
  oneOf,
  required,
  text,
  timestamp,
} from '#kernel/wire.ts'
import { rehearse } from '#rooms/foundation/plans/index.ts'
import { causeOf } from '#rooms/foundation/systemlog/index.ts'
import { addressOf } from '#rooms/foundation/tenants/index.ts'
import { findUses, getAddress, listAddresses, openedBy } from './actions.ts'
import { describeCertificates, removeCertificate, setCertificate } from './certificates/actions.ts'
import { pemLengthMax } from './certificates/decide.ts'
import { addHost, beginCheck, checkPath, endHost, noteReached, useHost } from './names/actions.ts'
import { shortcomingOf, stateOf } from './names/decide.ts'
import { moveTo } from './names/move.ts'
import { reachedPage } from './reached-page.ts'
import { describeRequest } from './request.ts'
import { listCredentialsAt, listPeopleAt } from './uses/store.ts'
import { AddressMessage, addressView, certificatesField, RequestMessage, usesField, usesView } from './view.ts'

const address = required(text({ maxLength: 300 }))
const reply = (name: string) => message(`bailiwick.v1.${name}`, { address: nested(AddressMessage) })

const CredentialAtMessage = message('bailiwick.v1.AddressCredential', {
  kind: oneOf(['credential', 'connector']),
  id: text(),
  clientId: text(),
  displayName: text(),
  userId: described(text(), 'Whose it is; empty for a connector.'),
  connectorId: described(text(), 'The connector that it belongs to; empty for others.'),
  lastUsedAt: timestamp(),
})
const PersonAtMessage = message('bailiwick.v1.AddressPerson', {
  userId: text(),
  passkeyCount: int32(),
  lastUsedAt: described(timestamp(), 'When one of them was last used.'),
})

const readRoutes: readonly Route[] = [
  route({
    id: 'bailiwick.v1.Address.Get',
    at: 'GET /api/v1/address',
    summary: 'Get the host names of the tenant, the oldest first.',
    rule: 'address.read',
    reply: message('bailiwick.v1.AddressGetResponse', {
      currentHost: text(),
      list: listOf(AddressMessage),
      certificates: described(certificatesField, 'The certificates that were uploaded.'),
      servesHttps: described(flag(), 'Whether this server serves HTTPS itself, so that it uses them.'),
    }),
    async handle({ db, tenant, settings }) {
      const { currentHost, rows } = await listAddresses(db, tenant.id)
      return {
        currentHost,
        list: rows.map((row) => addressView(row, currentHost)),
        certificates: await describeCertificates(db, tenant.id),
        servesHttps: settings.httpsPort !== undefined,
      }
    },
  }),
  route({
    id: 'bailiwick.v1.Address.GetRequest',
    at: 'GET /api/v1/address/request',
    summary: 'Get how this request reached the server: whether a proxy passes on what it must.',
    rule: 'address.read',
    reply: RequestMessage,
    handle: (call) => describeRequest(call),
  }),
  route({
    id: 'bailiwick.v1.Address.GetUses',
    at: 'GET /api/v1/address/names/{host}/uses',
    summary: 'Get what still depends on a host name.',
    rule: 'address.read',
    reply: message('bailiwick.v1.AddressGetUsesResponse', { list: usesField }),
    async handle(call, { path }) {
      const { current } = await getAddress(call.db, call.tenant.id, path.host)
      return { list: usesView(await findUses(call, call.db, call.tenant.id, path.host, addressOf(current))) }
    },
  }),
  route({
    id: 'bailiwick.v1.Address.ListCredentials',
    at: 'GET /api/v1/address/names/{host}/credentials',
    summary: 'List the credentials whose client IDs contain a host name, those of connectors too.',
    rule: 'address.read',
    paged: true,
    reply: message('bailiwick.v1.AddressListCredentialsResponse', { list: listOf(CredentialAtMessage), nextPageToken }),
    async handle({ db, tenant, now }, { path, page }) {
      const { named } = await getAddress(db, tenant.id, path.host)
      return page.cut(
        await listCredentialsAt(db, tenant.id, named.domain, now(), page),
        ({ id }) => [id],
        (row) => row,
      )
    },
  }),
  route({
    id: 'bailiwick.v1.Address.ListPeople',
    at: 'GET /api/v1/address/names/{host}/people',
    summary: 'List the people whose passkeys work at a host name, and not at the current one.',
    rule: 'address.read',
    paged: true,
    reply: message('bailiwick.v1.AddressListPeopleResponse', { list: listOf(PersonAtMessage), nextPageToken }),
    async handle({ db, tenant }, { path, page }) {
      const { named, currentHost } = await getAddress(db, tenant.id, path.host)
      return page.cut(
        await listPeopleAt(db, tenant.id, named, currentHost, page),
        ({ userId }) => [userId],
        (row) => row,
      )
    },
  }),
]

const changeRoutes: readonly Route[] = [
  route({
    id: 'bailiwick.v1.Address.Plan',
    at: 'POST /api/v1/address/plan',
    summary: 'Plan another address: what would change, and what people have to do. Nothing is changed.',
    rule: 'address.change',
    onlyReads: true,
    body: message('bailiwick.v1.AddressPlanRequest', { address }),
    reply: message('bailiwick.v1.AddressPlanResponse', {
      address: described(text(), 'As browsers will write it.'),
      shortcoming: described(text(), 'What people could not do there; empty if they could do everything.'),
      uses: usesField,
    }),
    async handle(call, { body }) {
      const { db, tenant } = call
      const row = await rehearse(db, (tx) => addHost(tx, call, causeOf(call), body.address))
      const { currentHost } = await listAddresses(db, tenant.id)
      const to = addressOf(row)
      return {
        address: to,
        shortcoming: shortcomingOf(row),
        uses: usesView(await findUses(call, db, tenant.id, currentHost, to)),
      }
    },
  }),
  route({
    id: 'bailiwick.v1.Address.Add',
    at: 'POST /api/v1/address/names',
    summary:
      'Add a host name at which the tenant is served beside the current one. It is removed after 30 days if it is not used until then.',
    rule: 'address.change',
    body: message('bailiwick.v1.AddressAddRequest', { address }),
    reply: reply('AddressAddResponse'),
    async handle(call, { body }) {
      const row = await transact(call.db, (tx) => addHost(tx, call, causeOf(call), body.address))
      return { address: addressView(row, '') }
    },
  }),
  route({
    id: 'bailiwick.v1.Address.Check',
    at: 'POST /api/v1/address/names/{host}/check',
    summary:
      'Create a one-time URL at a host name. Open it in a browser: that shows that the name leads to this server.',
    rule: 'address.change',
    body: message('bailiwick.v1.AddressCheckRequest', {}),
    reply: message('bailiwick.v1.AddressCheckResponse', { url: text() }),
    handle: async (call, { path }) => ({
      url: await transact(call.db, (tx) => beginCheck(tx, causeOf(call), path.host)),
    }),
  }),
  route({
    id: 'bailiwick.v1.Address.Use',
    at: 'POST /api/v1/address/names/{host}/use',
    summary:
      'Use a host name as the current address. Only from the console, opened at that address. The current one becomes an old one, and still works.',
    rule: 'address.change',
    body: message('bailiwick.v1.AddressUseRequest', {}),
    reply: reply('AddressUseResponse'),
    async handle(call, { path }) {
      const row = await transact(call.db, (tx) => useHost(tx, call, causeOf(call), path.host, openedBy(call)))
      return { address: addressView(row, row.host) }
    },
  }),
  route({
    id: 'bailiwick.v1.Address.End',
    at: 'POST /api/v1/address/names/{host}/end',
    summary:
      'End an old host name now or at a time, or remove a new one. Refused as long as no Super Administrator can sign in at the current address.',
    rule: 'address.change',
    body: message('bailiwick.v1.AddressEndRequest', {
      endsAt: described(timestamp(), 'When it ends; now if this is not set.'),
    }),
    reply: reply('AddressEndResponse'),
    async handle(call, { path, body }) {
      const row = await transact(call.db, (tx) =>
        endHost(tx, call, causeOf(call), path.host, { at: body.endsAt ?? null, opened: openedBy(call) }),
      )
      return { address: row && addressView(row, '') }
    },
  }),
]

const certificateRoutes: readonly Route[] = [
  route({
    id: 'bailiwick.v1.AddressCertificates.Set',
    at: 'PUT /api/v1/address/names/{host}/certificate',
    summary:
      'Upload the certificate chain of a host name, and its key. Servers that serve HTTPS use it within seconds.',
    rule: 'address.change',
    body: message('bailiwick.v1.AddressCertificatesSetRequest', {
      certificate: described(
        required(text({ maxLength: pemLengthMax })),
        'In PEM: that of the host, then its issuers.',
      ),
      key: described(
        required(text({ maxLength: pemLengthMax })),
        'In PEM, not encrypted: RSA with 2048 to 4096 bits, P-256 or P-384. It is stored encrypted, and in no response.',
      ),
    }),
    reply: message('bailiwick.v1.AddressCertificatesSetResponse', { list: certificatesField }),
    async handle(call, { path, body }) {
      await transact(call.db, (tx) => setCertificate(tx, call, causeOf(call), path.host, body))
      return { list: await describeCertificates(call.db, call.tenant.id) }
    },
  }),
  route({
    id: 'bailiwick.v1.AddressCertificates.Delete',
    at: 'DELETE /api/v1/address/names/{host}/certificate',
    summary: 'Delete the certificate of a host name, and its key.',
    rule: 'address.change',
    body: message('bailiwick.v1.AddressCertificatesDeleteRequest', {}),
    reply: empty,
    async handle(call, { path }) {
      await transact(call.db, (tx) => removeCertificate(tx, call, causeOf(call), path.host))
      return {}
    },
  }),
]

const openRoutes: readonly Route[] = [
  route({
    id: 'auth.v1.Move.Create',
    at: 'POST /api/v1/auth/move',
    summary:
      'Create a URL at which the caller, who has just signed in here, is signed in at another address of the tenant. It works once, within 2 minutes.',
    rule: 'own-sign-in.change',
    body: message('auth.v1.MoveCreateRequest', {
      host: described(text({ maxLength: 300 }), 'The host name; the current one of the tenant by default.'),
    }),
    reply: message('auth.v1.MoveCreateResponse', { url: text(), expiresAt: timestamp() }),
    secretIn: 'url',
    handle: (call, { body }) => moveTo(call, body.host),
  }),
  route({
    id: 'auth.v1.Addresses.FindOld',
    at: 'GET /auth/v1/old_address',
    summary: 'Get the address of an old host name of the tenant, which still works; empty if it is none.',
    rule: 'console.sign-in',
    query: message('auth.v1.AddressesFindOldRequest', { host: text({ maxLength: 300 }) }),
    reply: message('auth.v1.AddressesFindOldResponse', { address: text() }),
    async handle({ db, tenant }, { query }) {
      const { currentHost, rows } = await listAddresses(db, tenant.id)
      const row = rows.find(({ host }) => host === canonicalHost(query.host))
      return { address: row && stateOf(row, currentHost) === 'OLD' ? addressOf(row) : '' }
    },
  }),
  route({
    id: 'auth.v1.Addresses.Reach',
    at: `GET ${checkPath}{token}`,
    summary: 'The one-time URL of an address: opened in a browser, it shows that the name leads to this server.',
    rule: 'address.reach',
    pageIn: 'html',
    reply: message('auth.v1.AddressesReachResponse', { address: text(), html: text() }),
    async handle(call, { path }) {
      await noteReached(call, path.token)
      return { address: call.origin, html: reachedPage(call.origin) }
    },
  }),
]

export const addressRoutes: readonly Route[] = [...readRoutes, ...changeRoutes, ...certificateRoutes, ...openRoutes]
