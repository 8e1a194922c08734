import { urns } from '../resource.ts'

/** The schemas of RFC 7643. Other attributes are ignored if they are sent. */
export type AttributeType = 'string' | 'boolean' | 'dateTime' | 'reference' | 'binary' | 'complex'
export type Attribute = {
  readonly name: string
  readonly type: AttributeType
  readonly multiValued: boolean
  readonly description: string
  readonly required: boolean
  readonly caseExact: boolean
  readonly mutability: 'readWrite' | 'readOnly' | 'writeOnly' | 'immutable'
  readonly returned: 'default' | 'always' | 'never' | 'request'
  readonly uniqueness: 'none' | 'server'
  readonly canonicalValues?: readonly string[]
  readonly referenceTypes?: readonly string[]
  readonly subAttributes?: readonly Attribute[]
}

const attribute = (name: string, description: string, rest: Partial<Attribute> = {}): Attribute => ({
  name,
  type: 'string',
  multiValued: false,
  description,
  required: false,
  caseExact: false,
  mutability: 'readWrite',
  returned: 'default',
  uniqueness: 'none',
  ...rest,
})
const complex = (name: string, description: string, subAttributes: Attribute[], rest: Partial<Attribute> = {}) =>
  attribute(name, description, { type: 'complex', subAttributes, ...rest })

const readOnly = { mutability: 'readOnly' } as const

/** The usual sub-attributes of a multi-valued attribute. */
const plural = (name: string, description: string, types: readonly string[] = [], value: Partial<Attribute> = {}) =>
  complex(
    name,
    description,
    [
      attribute('value', 'The value.', value),
      attribute('display', 'A name for display.'),
      attribute('type', 'What kind of value it is.', types.length > 0 ? { canonicalValues: types } : {}),
      attribute('primary', 'Whether it is the preferred one; at most one is.', { type: 'boolean' }),
    ],
    { multiValued: true },
  )

/** Attributes of every resource (RFC 7643 section 3.1); not listed in its schema. */
export const common: readonly Attribute[] = [
  attribute('schemas', 'The schemas of the resource.', {
    type: 'reference',
    multiValued: true,
    caseExact: true,
    returned: 'always',
    mutability: 'readOnly',
  }),
  attribute('id', 'The identifier assigned by this service.', { caseExact: true, returned: 'always', ...readOnly }),
  attribute('externalId', "The client's own identifier.", { caseExact: true }),
  complex(
    'meta',
    'About the resource.',
    [
      attribute('resourceType', 'Its type.', { caseExact: true, ...readOnly }),
      attribute('created', 'When it was created.', { type: 'dateTime', ...readOnly }),
      attribute('lastModified', 'When it was last changed.', { type: 'dateTime', ...readOnly }),
      attribute('location', 'Its address.', { type: 'reference', caseExact: true, ...readOnly }),
      attribute('version', 'Its version, as in ETag.', { caseExact: true, ...readOnly }),
    ],
    readOnly,
  ),
]

const userAttributes: readonly Attribute[] = [
  attribute('userName', 'The name by which the directory knows the user.', { required: true, uniqueness: 'server' }),
  complex('name', "The parts of the user's name.", [
    attribute('formatted', 'The whole name.'),
    attribute('familyName', 'The family name.'),
    attribute('givenName', 'The given name.'),
    attribute('middleName', 'The middle names.'),
    attribute('honorificPrefix', 'As in "Dr.".'),
    attribute('honorificSuffix', 'As in "III".'),
  ]),
  attribute('displayName', 'The name for display.'),
  attribute('nickName', 'The casual name.'),
  attribute('profileUrl', "The address of the user's page.", { type: 'reference', referenceTypes: ['external'] }),
  attribute('title', 'The job title.'),
  attribute('userType', 'How the user relates to the organization, as in "Employee".'),
  attribute('preferredLanguage', 'The preferred language.'),
  attribute('locale', 'The locale, for dates and numbers.'),
  attribute('timezone', 'The time zone, as in "Europe/Berlin".'),
  attribute('active', 'Whether the user is active; others are disabled.', { type: 'boolean' }),
  attribute('password', 'Never stored.', { mutability: 'writeOnly', returned: 'never' }),
  plural('emails', 'Email addresses.', ['work', 'home', 'other']),
  plural('phoneNumbers', 'Phone numbers.', ['work', 'home', 'mobile', 'fax', 'pager', 'other']),
  plural('ims', 'Instant messaging addresses.'),
  plural('photos', 'Addresses of photos.', ['photo', 'thumbnail'], {
    type: 'reference',
    referenceTypes: ['external'],
  }),
  complex(
    'addresses',
    'Postal addresses.',
    [
      attribute('formatted', 'The whole address.'),
      attribute('streetAddress', 'The street.'),
      attribute('locality', 'The city.'),
      attribute('region', 'The state or region.'),
      attribute('postalCode', 'The postal code.'),
      attribute('country', 'The country.'),
      attribute('type', 'What kind of address it is.', { canonicalValues: ['work', 'home', 'other'] }),
      attribute('primary', 'Whether it is the preferred one.', { type: 'boolean' }),
    ],
    { multiValued: true },
  ),
  complex(
    'groups',
    'The groups that the user is a member of; changed through the groups.',
    [
      attribute('value', 'The id of the group.', readOnly),
      attribute('$ref', 'The address of the group.', { type: 'reference', referenceTypes: ['Group'], ...readOnly }),
      attribute('display', 'The name of the group.', readOnly),
      attribute('type', 'direct.', { canonicalValues: ['direct'], ...readOnly }),
    ],
    { multiValued: true, ...readOnly },
  ),
  plural('entitlements', 'What the user is entitled to, as sent by the client.'),
  plural('roles', 'Roles of the user, as sent by the client.'),
  plural('x509Certificates', 'Certificates.', [], { type: 'binary', caseExact: true }),
]

const enterpriseAttributes: readonly Attribute[] = [
  attribute('employeeNumber', 'The number of the employee.'),
  attribute('costCenter', 'The cost center.'),
  attribute('organization', 'The organization.'),
  attribute('division', 'The division.'),
  attribute('department', 'The department.'),
  complex('manager', "The user's manager.", [
    attribute('value', "The id of the manager's user.", { caseExact: true }),
    attribute('$ref', "The address of the manager's user.", { type: 'reference', referenceTypes: ['User'] }),
    attribute('displayName', "The manager's name.", readOnly),
  ]),
]

const groupAttributes: readonly Attribute[] = [
  attribute('displayName', 'The name of the group.', { required: true }),
  complex(
    'members',
    'The members of the group.',
    [
      attribute('value', 'The id of the member.', { mutability: 'immutable', caseExact: true }),
      attribute('$ref', 'The address of the member.', {
        type: 'reference',
        referenceTypes: ['User'],
        mutability: 'immutable',
      }),
      attribute('type', 'User: groups within groups are not supported.', {
        canonicalValues: ['User'],
        mutability: 'immutable',
      }),
      // It takes one more table to read, and would be a third of the response for a large group.
      attribute('display', 'The name of the member.', { ...readOnly, returned: 'request' }),
    ],
    { multiValued: true },
  ),
]

export type Schema = { urn: string; name: string; description: string; attributes: readonly Attribute[] }
export const userSchema: Schema = {
  urn: urns.user,
  name: 'User',
  description: 'A user of the directory',
  attributes: userAttributes,
}
export const enterpriseSchema: Schema = {
  urn: urns.enterprise,
  name: 'EnterpriseUser',
  description: 'Attributes of a user in an organization',
  attributes: enterpriseAttributes,
}
export const groupSchema: Schema = {
  urn: urns.group,
  name: 'Group',
  description: 'A group of the directory',
  attributes: groupAttributes,
}

/** A type of resource: its schema, and the one that extends it. */
export type ResourceType = { name: 'User' | 'Group'; endpoint: string; schema: Schema; extension: Schema | null }
export const userType: ResourceType = {
  name: 'User',
  endpoint: '/Users',
  schema: userSchema,
  extension: enterpriseSchema,
}
export const groupType: ResourceType = { name: 'Group', endpoint: '/Groups', schema: groupSchema, extension: null }

/** Attribute names are case-insensitive (RFC 7643 section 2.1). */
export const named = (attributes: readonly Attribute[], name: string): Attribute | null => {
  const lower = name.toLowerCase()
  return attributes.find((each) => each.name.toLowerCase() === lower) ?? null
}
