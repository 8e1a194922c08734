import { int32, list, listOf, message, readOnly, text } from '#kernel/wire.ts'

/** The account and the directory that each attribute comes from, and since when: the content of users.sources. */
export type Sources = { readonly [attribute: string]: readonly [appId: string, accountId: string, since: string] }

const AttributeSource = message('user.v1.UserAttributeMappingSource', {
  appId: text(),
  appUserId: text(),
  appUserProfileAttributeKey: text(),
  priority: readOnly(int32()),
  userAttributeMappingId: text(),
  value: text(),
})
type AttributeSource = {
  appId: string
  appUserId: string
  appUserProfileAttributeKey: string
  priority: number
  userAttributeMappingId: string
  value: string
}

/** The fields with the sources, each with its attribute and the field that has the attribute's value. */
const told = {
  directoryStatusSources: ['status', 'directoryStatus'],
  emailSources: ['email', 'email'],
  usernameSources: ['username', 'username'],
  employeeIdSources: ['employeeIds', 'employeeIds'],
  departmentSources: ['department', 'department'],
  jobTitleSources: ['jobTitle', 'jobTitle'],
  employmentTypeSources: ['employmentType', 'employmentType'],
  employmentStatusSources: ['employmentStatus', 'employmentStatus'],
  managerSources: ['manager', 'managerIds'],
} as const
type ToldField = keyof typeof told
const toldFields = Object.entries(told) as [ToldField, (typeof told)[ToldField]][]

const sourceList = () => readOnly(listOf(AttributeSource))
/** In this order, after all other fields of a user. */
export const sourceShapes = {
  directoryStatusSources: sourceList(),
  emailSources: sourceList(),
  usernameSources: sourceList(),
  employeeIdSources: sourceList(),
  departmentSources: sourceList(),
  jobTitleSources: sourceList(),
  employmentTypeSources: sourceList(),
  employmentStatusSources: sourceList(),
  managerSources: sourceList(),
  directoryIds: readOnly(list(text())),
}

export type ToldSources = { [F in ToldField]: readonly AttributeSource[] } & { directoryIds: readonly string[] }

const none: ToldSources = {
  ...(Object.fromEntries(toldFields.map(([field]) => [field, []])) as unknown as Record<ToldField, []>),
  directoryIds: [],
}

function toldOf(sources: Sources, valueOf: (field: string) => string): ToldSources {
  const directoryIds = [...new Set(Object.values(sources).map(([appId]) => appId))].toSorted()
  const lists = toldFields.map(([field, [attribute, of]]) => {
    const source = sources[attribute]
    if (!source) return [field, []] as const
    const [appId, appUserId] = source
    const value = valueOf(of)
    return [
      field,
      [{ appId, appUserId, appUserProfileAttributeKey: '', priority: 0, userAttributeMappingId: '', value }],
    ] as const
  })
  return { ...(Object.fromEntries(lists) as unknown as Record<ToldField, AttributeSource[]>), directoryIds }
}

/** Users as they were read, with the fields about their sources. */
export function withSources<U extends { sources: Sources }>(users: readonly U[]): (U & ToldSources)[] {
  return users.map((user) => {
    if (Object.keys(user.sources).length === 0) return { ...user, ...none }
    const values = user as unknown as Record<string, string | readonly string[]>
    const valueOf = (field: string): string => {
      const value = values[field] ?? ''
      return typeof value === 'string' ? value : (value[0] ?? '')
    }
    return { ...user, ...toldOf(user.sources, valueOf) }
  })
}
