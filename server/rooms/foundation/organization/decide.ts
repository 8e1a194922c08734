import { isMailAddress } from '#kernel/mail-settings.ts'
import type { FieldViolation } from '#kernel/refusals.ts'

export const domainsMax = 1000
export const contactsMax = 20

// RFC 1035 section 2.3.4: labels of 63 at most, 253 in all. The last label is not numeric: otherwise it would be an
// address.
const domainForm = /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/

/** The form in which domains are compared: lower case. */
export const plainDomains = (given: readonly string[]): string[] => [
  ...new Set(given.map((each) => each.trim().toLowerCase())),
]

export const domainProblems = (domains: readonly string[]): FieldViolation[] =>
  domains.flatMap((domain, i) =>
    domainForm.test(domain)
      ? []
      : [{ field: `newDomains[${i}]`, description: 'must be a domain of email addresses, as in example.com' }],
  )

export type Contacts = { operationsEmails: readonly string[]; securityEmails: readonly string[] }
export const noContacts: Contacts = { operationsEmails: [], securityEmails: [] }

/** Each address once, regardless of upper and lower case. */
export const plainAddresses = (given: readonly string[]): string[] => [
  ...new Map(given.map((each) => [each.trim().toLowerCase(), each.trim()])).values(),
]

export const contactProblems = (contacts: Contacts): FieldViolation[] =>
  Object.entries(contacts).flatMap(([name, addresses]) =>
    addresses.flatMap((address, i) =>
      isMailAddress(address)
        ? []
        : [{ field: `contacts.${name}[${i}]`, description: 'must be an email address, as in name@example.com' }],
    ),
  )
