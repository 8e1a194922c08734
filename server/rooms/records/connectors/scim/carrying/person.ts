import type { Json } from '../protocol/json.ts'

const userSchema = 'urn:ietf:params:scim:schemas:core:2.0:User'
const enterpriseSchema = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'

export type Person = {
  id: string
  displayName: string
  email: string
  emails: readonly string[]
  username: string
  department: string
  jobTitle: string
  employeeIds: readonly string[]
}

/** The user name of a person's account in an app. */
export const loginOf = ({ username, email }: Pick<Person, 'username' | 'email'>): string => username || email

/** A person as a user of an app (RFC 7643 section 4.1). Unknown attributes are not sent; no password is set. */
export function scimUserOf(person: Person): Json {
  const { id, displayName, email, emails, department, jobTitle, employeeIds } = person
  const [givenName = '', ...rest] = displayName.split(' ')
  const familyName = rest.join(' ')
  const addresses = [...new Set([email, ...emails])].filter(Boolean)
  const [employeeNumber = ''] = employeeIds
  const work = { ...(department !== '' && { department }), ...(employeeNumber !== '' && { employeeNumber }) }
  const hasWork = Object.keys(work).length > 0
  return {
    schemas: [userSchema, ...(hasWork ? [enterpriseSchema] : [])],
    userName: loginOf(person),
    // With this the account can be found again, even if the reply is lost.
    externalId: id,
    name: { formatted: displayName, givenName, ...(familyName !== '' && { familyName }) },
    displayName,
    ...(jobTitle !== '' && { title: jobTitle }),
    emails: addresses.map((value, place) => ({ value, type: place === 0 ? 'work' : 'other', primary: place === 0 })),
    active: true,
    ...(hasWork && { [enterpriseSchema]: work }),
  }
}
