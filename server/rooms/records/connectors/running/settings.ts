import type { FieldViolation } from '#kernel/refusals.ts'
import type { CatalogEntry, Setting } from '../catalog/entry.ts'
import type { ProgramSetting } from '../program/program.ts'

export const valueLengthMax = 16_384
export const settingsMax = 100

type Said = { name: string; value: string }

function valueProblem({ type }: Setting, value: string): string | null {
  if (type === 'bool' && value !== 'true' && value !== 'false') return 'must be true or false'
  if (type === 'int' && !/^-?\d{1,18}$/.test(value)) return 'must be a whole number'
  return null
}

/**
 * The settings of a program as they were sent, or what is wrong with them. Only those that the catalog, or the program itself,
 * knows: each becomes a variable of its environment, and nothing else does.
 */
export function readSettings(
  said: readonly Said[],
  entry: CatalogEntry,
  at: string,
): ProgramSetting[] | FieldViolation[] {
  const known = new Map(entry.settings.map((setting) => [setting.name, setting]))
  const problems: FieldViolation[] = []
  const read = new Map<string, ProgramSetting>()
  for (const [index, { name, value }] of said.entries()) {
    const setting = known.get(name)
    const field = `${at}[${index}].${setting ? 'value' : 'name'}`
    if (!setting) problems.push({ field, description: `is not a setting of ${entry.id}` })
    else if (read.has(name)) problems.push({ field, description: 'was sent more than once' })
    else if (value !== '') {
      const problem = valueProblem(setting, value)
      if (problem) problems.push({ field, description: problem })
      read.set(name, { name, value, isSecret: setting.isSecret })
    }
  }
  if (problems.length > 0) return problems
  const missing = missingOf(entry, read)
  return missing.length > 0
    ? missing.map((name) => ({ field: `${at}.${name}`, description: 'is required by the connector' }))
    : [...read.values()]
}

/** The required settings that are not set: those without a group, and those of the group that is used. */
function missingOf({ settings, groups }: CatalogEntry, read: ReadonlyMap<string, ProgramSetting>): string[] {
  const required = settings.filter(({ isRequired }) => isRequired).map(({ name }) => name)
  const grouped = new Set(groups.flatMap((group) => group.settings))
  const missing = required.filter((name) => !grouped.has(name) && !read.has(name))
  const lacking = groups.map((group) => group.settings.filter((name) => required.includes(name) && !read.has(name)))
  const used = groups.findIndex((group) => group.settings.some((name) => read.has(name)))
  const usual = Math.max(
    0,
    groups.findIndex(({ isDefault }) => isDefault),
  )
  if (lacking.some((each) => each.length === 0)) return missing
  return [...missing, ...(lacking[used < 0 ? usual : used] ?? [])]
}
