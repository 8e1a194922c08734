import {
  choice,
  email,
  type Field,
  folded,
  key,
  line,
  listed,
  profile,
  required,
  text,
  time,
  Wrong,
} from './reading/fields.ts'

export const kindNames = ['user', 'app', 'resource_type', 'resource', 'entitlement', 'account', 'grant'] as const
export type KindName = (typeof kindNames)[number]

/** The fields in lines of a kind. Parents are named by the external ids that the file itself uses. */
export type Kind = {
  readonly name: KindName
  readonly fields: { readonly [name: string]: Field }
  /** Merges fields that have the same meaning; returns what is wrong with the record as a whole. */
  complete?(values: Values): { field: string; wrong: Wrong } | null
}
export type Values = { [field: string]: unknown }

const named = line(500)
const word = line(500)
const description = text(10_000)

const isEnabled = { enabled: 'ENABLED', disabled: 'DISABLED' } as const

/** A single value and its list: `email` is the first of `emails`, whichever of them the line has. */
function unite(values: Values, one: string, many: string): void {
  const first = values[one] as string
  const others = values[many] as readonly string[]
  if (first === '' && others.length === 0) return
  const seen = new Set<string>()
  const all: string[] = []
  for (const each of first === '' ? others : [first, ...others]) {
    const same = each.toLowerCase()
    if (seen.has(same)) continue
    seen.add(same)
    all.push(each)
  }
  values[one] = all[0]
  values[many] = all
}

/** A record without a name is named by another field. */
function callByAnything(values: Values): { field: string; wrong: Wrong } | null {
  for (const field of ['displayName', 'email', 'username']) {
    values['displayName'] = values[field]
    if (values['displayName'] !== '') return null
  }
  return { field: 'displayName', wrong: new Wrong('is missing, and so are email and username') }
}

const people = {
  displayName: named,
  email: email(),
  emails: listed(email()),
  username: text(320),
  usernames: listed(text(320)),
  employeeId: folded(text(320)),
  employeeIds: listed(text(320)),
  profile: profile(),
}
function completePerson(values: Values): { field: string; wrong: Wrong } | null {
  unite(values, 'email', 'emails')
  unite(values, 'username', 'usernames')
  unite(values, 'employeeId', 'employeeIds')
  return callByAnything(values)
}

export const kinds: { readonly [K in KindName]: Kind } = {
  user: {
    name: 'user',
    fields: {
      externalId: required(key()),
      ...people,
      type: choice(
        {
          human: 'USER_TYPE_HUMAN',
          service: 'USER_TYPE_SERVICE',
          system: 'USER_TYPE_SYSTEM',
          agent: 'USER_TYPE_AGENT',
        },
        'USER_TYPE_HUMAN',
      ),
      status: choice(isEnabled, 'ENABLED'),
      department: word,
      jobTitle: word,
      employmentType: word,
      employmentStatus: word,
      manager: folded(key()),
      managers: listed(key()),
    },
    complete(values) {
      unite(values, 'manager', 'managers')
      return completePerson(values)
    },
  },
  app: {
    name: 'app',
    fields: { externalId: required(key()), displayName: required(named), description },
  },
  resource_type: {
    name: 'resource_type',
    fields: { app: required(key()), externalId: required(key()), displayName: required(named) },
  },
  resource: {
    name: 'resource',
    fields: {
      app: required(key()),
      resourceType: required(key()),
      externalId: required(key()),
      displayName: required(named),
      description,
      profile: profile(),
      parentResourceType: key(),
      parentResource: key(),
    },
    complete(values) {
      if (values['parentResource'] === '' && values['parentResourceType'] !== '')
        return { field: 'parentResource', wrong: new Wrong('is missing, but parentResourceType is set') }
      if (values['parentResource'] !== '' && values['parentResourceType'] === '')
        values['parentResourceType'] = values['resourceType']
      return null
    },
  },
  entitlement: {
    name: 'entitlement',
    fields: {
      app: required(key()),
      externalId: required(key()),
      displayName: required(named),
      description,
      resourceType: key(),
      resource: key(),
      slug: text(200),
      alias: text(200),
      purpose: choice(
        {
          assignment: 'APP_ENTITLEMENT_PURPOSE_VALUE_ASSIGNMENT',
          permission: 'APP_ENTITLEMENT_PURPOSE_VALUE_PERMISSION',
          ownership: 'APP_ENTITLEMENT_PURPOSE_VALUE_OWNERSHIP',
        },
        'APP_ENTITLEMENT_PURPOSE_VALUE_ASSIGNMENT',
      ),
    },
    complete(values) {
      if ((values['resource'] === '') === (values['resourceType'] === '')) return null
      // Kept once: the separate fields must not be looked up as well.
      values['resource'] = ''
      values['resourceType'] = ''
      return { field: 'resource', wrong: new Wrong('must be set together with resourceType, or not at all') }
    },
  },
  account: {
    name: 'account',
    fields: {
      app: required(key()),
      externalId: required(key()),
      user: key(),
      ...people,
      // Apps may have arbitrary values in these.
      email: text(320),
      emails: listed(text(320)),
      type: choice(
        {
          user: 'APP_USER_TYPE_USER',
          service_account: 'APP_USER_TYPE_SERVICE_ACCOUNT',
          system_account: 'APP_USER_TYPE_SYSTEM_ACCOUNT',
        },
        'APP_USER_TYPE_USER',
      ),
      status: choice({ enabled: 'STATUS_ENABLED', disabled: 'STATUS_DISABLED' }, 'STATUS_ENABLED'),
    },
    complete: completePerson,
  },
  grant: {
    name: 'grant',
    fields: {
      app: required(key()),
      entitlement: required(key()),
      account: required(key()),
      grantedAt: time(),
      expiresAt: time(),
    },
    complete(values) {
      const { grantedAt, expiresAt } = values as { grantedAt: Date | null; expiresAt: Date | null }
      return grantedAt && expiresAt && expiresAt <= grantedAt
        ? { field: 'expiresAt', wrong: new Wrong('is not after grantedAt') }
        : null
    },
  },
}

const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

const namesOfKinds = new Map<string, KindName>(
  kindNames.flatMap((kind) => [
    [kind, kind],
    [kind.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()), kind],
  ]),
)
/** The kind with that name, in either spelling. */
export const kindNamed = (given: unknown): KindName | null =>
  typeof given === 'string' ? (namesOfKinds.get(given) ?? null) : null

export type StagedColumn = { field: string; column: string } & Pick<Field, 'type' | 'isKey'>
export const columnsOf = ({ fields }: Kind): StagedColumn[] =>
  Object.entries(fields)
    .filter(([, { isStaged }]) => isStaged)
    .map(([field, { type, isKey }]) => ({ field, column: snake(field), type, isKey }))

/** The fields of a kind by both of their spellings. */
export const spellingsOf = ({ fields }: Kind): Map<string, { name: string; field: Field }> =>
  new Map(
    Object.entries(fields).flatMap(([name, field]) => [
      [name, { name, field }],
      [snake(name), { name, field }],
    ]),
  )
