import { addressCheck, blockOf } from '#kernel/cidrs.ts'
import type { FieldViolation } from '#kernel/refusals.ts'
import { basicRole, builtInRoles } from '#rooms/identity/roles/index.ts'

/** From which addresses callers of a kind are served. If not enabled, from all. */
export type SourceLimit = { enabled: boolean; sourceCidr: readonly string[] }

export const sourceNames = [
  'ssoUserSource',
  'ssoAdminSource',
  'pccUserSource',
  'pccAdminSource',
  'connectorSource',
] as const
export type SourceName = (typeof sourceNames)[number]
export type SourceLimits = Readonly<Record<SourceName, SourceLimit>>

const limits = (each: SourceLimit): SourceLimits =>
  Object.fromEntries(sourceNames.map((name) => [name, each])) as SourceLimits

export const noLimits = limits({ enabled: false, sourceCidr: [] })
/** For limits that this program did not write: nobody is served from anywhere. */
export const closedLimits = limits({ enabled: true, sourceCidr: [] })

const blocksMax = 100
const field = (name: SourceName) => `sessionSettings.${name}.sourceCidr`

export const limitProblems = (wanted: SourceLimits): FieldViolation[] =>
  sourceNames.flatMap((name) => {
    const { enabled, sourceCidr } = wanted[name]
    if (sourceCidr.length > blocksMax)
      return [{ field: field(name), description: `must have at most ${blocksMax} blocks` }]
    if (enabled && sourceCidr.length === 0)
      return [{ field: field(name), description: 'must not be empty if it is enabled: nobody could connect' }]
    return sourceCidr.flatMap((cidr, i) =>
      blockOf(cidr)
        ? []
        : [
            {
              field: `${field(name)}[${i}]`,
              description: 'must be a CIDR block or an address, as in 10.0.0.0/8 or 2001:db8::/32',
            },
          ],
    )
  })

/** Whether an address is within a limit. An enabled one without blocks admits nobody. */
export function sourceCheck({ enabled, sourceCidr }: SourceLimit): (address: string) => boolean {
  if (!enabled) return () => true
  return sourceCidr.length === 0 ? () => false : addressCheck(sourceCidr)
}

const basic: ReadonlySet<string> = new Set(builtInRoles[basicRole].permissions)
const basicOnOwned: ReadonlySet<string> = new Set([...basic, ...builtInRoles[basicRole].permissionsOnOwned])

/** Anyone who may do more than everyone is an administrator. */
const isAdministrator = (of: { permissions: ReadonlySet<string>; permissionsOnOwned: ReadonlySet<string> }): boolean =>
  !of.permissions.isSubsetOf(basic) || !of.permissionsOnOwned.isSubsetOf(basicOnOwned)

/** Which limit applies to a caller, depending on how they authenticate. */
export const sourceOf = (
  by: 'sso' | 'pcc',
  of: { permissions: ReadonlySet<string>; permissionsOnOwned: ReadonlySet<string> },
): SourceName => (isAdministrator(of) ? `${by}AdminSource` : `${by}UserSource`)
