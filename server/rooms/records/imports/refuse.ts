import { Refusal } from '#kernel/refusals.ts'
import type { Going } from './decide.ts'
import type { KindCounts } from './import.ts'
import type { KindName } from './kinds.ts'
import type { RefusedLines } from './store/checking.ts'

const plurals: Record<KindName, string> = {
  user: 'users',
  app: 'apps',
  resource_type: 'resource types',
  resource: 'resources',
  entitlement: 'entitlements',
  account: 'accounts',
  grant: 'grants',
}

const toldMax = 3

/** The whole file is refused for its lines; the first thousand of them are named. */
export function refusedLines({ count, byKind, first }: RefusedLines): Refusal {
  const violations = first.map(({ line, kind, reason }) => ({
    field: `line ${line}`,
    description: kind ? `${kind}: ${reason}` : reason,
  }))
  const told = violations.slice(0, toldMax).map(({ field, description }) => `${field}: ${description}`)
  const more = count > told.length ? `; and ${count - told.length} more` : ''
  const were = count === 1 ? '1 line was' : `${count} lines were`
  return new Refusal('IMPORT_REFUSED', `${were} refused, and nothing was imported: ${told.join('; ')}${more}.`, {
    metadata: {
      refused: String(count),
      ...Object.fromEntries(Object.entries(byKind).map(([kind, of]) => [`refused.${kind}`, String(of)])),
    },
    violations,
  })
}

/** The breaker. */
export function removesTooMuch(going: readonly Going[]): Refusal {
  const told = going.map(({ kind, gone, total }) => `${gone} of ${total} ${plurals[kind]}`)
  return new Refusal(
    'IMPORT_REMOVES_TOO_MUCH',
    `A full import of this file would remove ${told.join(', ')}. That is more than a fifth, so nothing was imported: ` +
      'look whether the file is whole, and force it if it is.',
    { metadata: Object.fromEntries(going.map(({ kind, gone, total }) => [kind, `${gone}/${total}`])) },
  )
}

/** `2 users added, 1 grant …` for the system log. */
export function inWords(counts: readonly KindCounts[]): string {
  const told = (['added', 'changed', 'removed'] as const).flatMap((what) =>
    counts.filter((each) => each[what] > 0).map((each) => `${each[what]} ${plurals[each.kind]} ${what}`),
  )
  return told.length === 0 ? 'a file that changed nothing' : `a file: ${told.join(', ')}`
}
