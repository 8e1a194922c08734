import { plural } from '#kernel/plural.ts'
import { Refusal } from '#kernel/refusals.ts'
import type { Leftovers } from './c1z/messages.ts'
import type { Going } from './decide.ts'
import type { KindCounts } from './import.ts'
import type { KindName } from './kinds.ts'
import type { RefusedLines } from './store/checking.ts'
import type { Loose } from './store/connector-files.ts'

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

/** The whole file is refused for some of its lines; the first thousand of them are listed. */
export function refusedLines({ count, byKind, first }: RefusedLines, noun: 'line' | 'record' = 'line'): Refusal {
  const violations = first.map(({ line, kind, reason }) => ({
    field: `${noun} ${line}`,
    description: kind ? `${kind}: ${reason}` : reason,
  }))
  const told = violations.slice(0, toldMax).map(({ field, description }) => `${field}: ${description}`)
  const more = count > told.length ? `; and ${count - told.length} more` : ''
  const were = count === 1 ? `1 ${noun} was` : `${count} ${noun}s were`
  return new Refusal('IMPORT_REFUSED', `${were} rejected, and nothing was imported: ${told.join('; ')}${more}.`, {
    metadata: {
      refused: String(count),
      ...Object.fromEntries(Object.entries(byKind).map(([kind, of]) => [`refused.${kind}`, String(of)])),
    },
    violations,
  })
}

/** The circuit breaker. */
export function removesTooMuch(going: readonly Going[]): Refusal {
  const told = going.map(({ kind, gone, total }) => `${gone} of ${total} ${plurals[kind]}`)
  return new Refusal(
    'IMPORT_REMOVES_TOO_MUCH',
    `A full import of this file would remove ${told.join(', ')}. That is more than 20%, so nothing was imported: ` +
      'check that the file is complete, and use force if it is.',
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

/** What was left out of a connector's file, as one sentence each. */
export function notesOf(of: Leftovers & Loose): string[] {
  const unheld = of.grantsToNobody + of.grants
  return [
    ...(of.nestedGrants > 0
      ? [
          `${plural(of.nestedGrants, 'grant')} to groups or other resources: shown as the source of the access of their members.`,
        ]
      : []),
    ...(unheld > 0 ? [`${plural(unheld, 'grant')} skipped: the account or the entitlement is not in the file.`] : []),
    ...(of.entitlements > 0
      ? [`${plural(of.entitlements, 'entitlement')} without a resource: the resource is not in the file.`]
      : []),
    ...(of.parents > 0 ? [`${plural(of.parents, 'resource')} without a parent: the parent is not in the file.`] : []),
    ...(of.objects > 0
      ? [
          `${plural(of.objects, 'object')} larger than 64 KiB: the connector cannot grant or revoke ${of.objects === 1 ? 'it' : 'them'}.`,
        ]
      : []),
    ...(of.profiles > 0 ? [`${plural(of.profiles, 'profile')} skipped: larger than 64 KiB.`] : []),
  ]
}
