import { route } from '#authority/route.ts'
import { fieldsToChange, updatable } from '#kernel/masks.ts'
import { nextPageToken } from '#kernel/pages.ts'
import type { Route } from '#kernel/routes.ts'
import type { Seals } from '#kernel/seals.ts'
import { transact } from '#kernel/sql.ts'
import {
  described,
  leftOut,
  list,
  listOf,
  message,
  nested,
  neverSet,
  readOnly,
  required,
  text,
  timestamp,
} from '#kernel/wire.ts'
import { changeContacts, findContacts, type KnownContacts, replaceDomains } from './actions.ts'
import { contactsMax, domainsMax, plainAddresses } from './decide.ts'
import { type Domain, listDomains } from './store.ts'

const addressLength = 254

const DomainMessage = message(
  'settings.v1.OrgDomain',
  { id: text(), domain: text(), createdAt: timestamp(), updatedAt: timestamp(), deletedAt: timestamp() },
  'A domain of email addresses of the organization.',
)
const onWire = (row: Domain) => ({ ...row, updatedAt: row.createdAt, deletedAt: null })

const addresses = () => list(text({ maxLength: addressLength }), contactsMax)
const ContactsMessage = message('settings.v1.Contacts', {
  operationsEmails: described(addresses(), 'Get an email when a sync of a connector fails or is held.'),
  securityEmails: described(addresses(), 'Get an email for each alert of the system log.'),
  billingEmails: neverSet(addresses(), 'Bailiwick sends no invoices.'),
  createdAt: leftOut(readOnly(timestamp())),
  updatedAt: leftOut(readOnly(timestamp())),
})
const contactsReply = (name: string) => message(`settings.v1.${name}`, { contacts: nested(ContactsMessage) })
const contactsView = (contacts: KnownContacts) => ({ ...contacts, billingEmails: [] })

/** Always the same for a tenant, and useless to another one: derived, so nothing in the database can change it. */
const externalIdOf = (seals: Seals, tenantId: string): string =>
  seals.mac('aws external id', tenantId).subarray(0, 20).toString('hex')

export const organizationRoutes: readonly Route[] = [
  route({
    id: 'settings.v1.OrgDomainService.List',
    at: 'GET /api/v1/settings/domains',
    summary: "List the domains of the organization's email addresses, in alphabetical order.",
    rule: 'organization.read',
    paged: true,
    reply: message('settings.v1.ListOrgDomainsResponse', { list: listOf(DomainMessage), nextPageToken }),
    handle: async (call, { page }) =>
      page.cut(await listDomains(call.db, call.tenant.id, page), ({ domain }) => [domain], onWire),
  }),
  route({
    id: 'settings.v1.OrgDomainService.Update',
    at: 'PUT /api/v1/settings/domains',
    summary:
      "Replace the domains of the organization's email addresses. Accounts with an address of another domain are external; without any domains, those that belong to no user.",
    rule: 'organization.change-domains',
    body: message('settings.v1.UpdateOrgDomainRequest', { newDomains: list(text({ maxLength: 253 }), domainsMax) }),
    reply: message('settings.v1.UpdateOrgDomainResponse', { list: listOf(DomainMessage) }),
    async handle(call, { body }) {
      const rows = await transact(call.db, (tx) => replaceDomains(tx, call, body.newDomains))
      return { list: rows.map(onWire) }
    },
  }),
  route({
    id: 'settings.v1.ContactsService.GetContacts',
    at: 'GET /api/v1/settings/contacts',
    summary: 'Get the contacts of the organization: who gets emails about operations and security.',
    rule: 'organization.read',
    reply: contactsReply('GetContactsResponse'),
    handle: async (call) => ({ contacts: contactsView(await findContacts(call, call.db, call.tenant.id)) }),
  }),
  route({
    id: 'settings.v1.ContactsService.UpdateContacts',
    at: 'POST /api/v1/settings/contacts',
    summary: 'Change the contacts of the organization. They need not be users.',
    rule: 'organization.change-contacts',
    body: message('settings.v1.UpdateContactsRequest', {
      contacts: required(updatable(ContactsMessage)),
      updateMask: text(),
    }),
    reply: contactsReply('UpdateContactsResponse'),
    async handle(call, { body: { contacts, updateMask } }) {
      const names = fieldsToChange(contacts, updateMask, ['operationsEmails', 'securityEmails'])
      const changes = Object.fromEntries([...names].map((name) => [name, plainAddresses(contacts[name])]))
      return { contacts: contactsView(await transact(call.db, (tx) => changeContacts(tx, call, changes))) }
    },
  }),
  route({
    id: 'settings.v1.AWSExternalIDSettings.Get',
    at: 'GET /api/v1/settings/aws-external-id',
    summary:
      'Get the external id of the organization for the trust policies of roles in AWS (sts:ExternalId). It never changes.',
    rule: 'organization.read',
    reply: message('settings.v1.GetAWSExternalIDResponse', {
      awsExternalId: nested(message('settings.v1.AWSExternalID', { externalId: text() })),
    }),
    handle: async ({ seals, tenant }) => ({ awsExternalId: { externalId: externalIdOf(seals, tenant.publicId) } }),
  }),
]
