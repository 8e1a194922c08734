import { transact } from '#kernel/sql.ts'
import { operatorCause } from '#rooms/foundation/systemlog/index.ts'
import { defaultPolicy, findPolicy, type SignInPolicy, setPolicy } from '#rooms/identity/sessions/index.ts'
import { findSourceLimits, noLimits, type SourceLimits, setSourceLimits } from '#rooms/identity/sources/index.ts'
import { type FlagValues, UsageError } from '#server/settings/config.ts'
import type { Run } from './command.ts'
import { asUsage, chooseTenant, operate } from './operate.ts'
import { print, printJson } from './print.ts'
import { signInMethods } from './values.ts'

type Method = (typeof signInMethods)[number]

const units: Readonly<Record<string, number>> = { m: 60, h: 3600, d: 86_400 }

/** `30m`, `12h` or `7d`, in seconds. */
function secondsIn(flags: FlagValues, name: string, unless: number): number {
  const text = flags[name] as string | undefined
  if (text === undefined) return unless
  const [, count, unit = ''] = /^(\d{1,6})([mhd])$/.exec(text) ?? []
  if (count === undefined)
    throw new UsageError(`--${name} ${JSON.stringify(text)} is not a duration, such as 30m, 12h or 7d`)
  return Number(count) * (units[unit] as number)
}

function methodsIn(flags: FlagValues): readonly Method[] | null {
  const given = flags['allow'] as unknown as string[] | undefined
  if (given === undefined) return null
  const wrong = given.find((each) => !signInMethods.includes(each as Method))
  if (wrong !== undefined) throw new UsageError(`--allow ${wrong} is not one of ${signInMethods.join(', ')}`)
  return given as Method[]
}

const minutes = (seconds: number): string => {
  const [unit, size] = Object.entries(units).findLast(([, each]) => seconds % each === 0) ?? ['s', 1]
  return `${seconds / size}${unit}`
}

const callers: Readonly<Record<keyof SourceLimits, string>> = {
  ssoUserSource: 'console sessions of Basic Users',
  ssoAdminSource: 'console sessions of others',
  pccUserSource: 'access tokens of Basic Users',
  pccAdminSource: 'access tokens of others',
  connectorSource: 'connectors',
}

/** The limits that there are, one on a line. */
const toldLimits = (limits: SourceLimits): string[] =>
  Object.entries(callers).flatMap(([name, words]) => {
    const { enabled, sourceCidr } = limits[name as keyof SourceLimits]
    return enabled ? [`Allowed addresses for ${words}: ${sourceCidr.join(', ') || 'none'}`] : []
  })

const told = (policy: SignInPolicy, limits: SourceLimits): string =>
  [
    `Allowed sign-in methods      ${policy.methods.join(', ') || 'none but break-glass links'}`,
    `Inactive sessions end after  ${minutes(policy.idleSeconds)}`,
    `All sessions end after       ${minutes(policy.sessionSeconds)}`,
    `A sign-in is recent for      ${minutes(policy.freshSeconds)}`,
    ...toldLimits(limits),
  ].join('\n')

export const tenantPolicyShow: Run = ({ flags }) =>
  operate(flags, async (world) => {
    const tenant = await chooseTenant(world, flags)
    const policy = await findPolicy(world, world.db, operatorCause(tenant, 'tenant sign-in-policy show'))
    const limits = await findSourceLimits(world, world.db, tenant.id)
    const { methods, idleSeconds, sessionSeconds, freshSeconds } = policy
    if (flags['json']) printJson({ methods, idleSeconds, sessionSeconds, freshSeconds, sourceLimits: limits })
    else print(told(policy, limits))
    return 0
  })

export const tenantPolicySet: Run = ({ flags }) =>
  operate(flags, async (world) => {
    const tenant = await chooseTenant(world, flags)
    const cause = operatorCause(tenant, 'tenant sign-in-policy set')
    const before = flags['defaults'] ? defaultPolicy : await findPolicy(world, world.db, cause)
    const policy: SignInPolicy = {
      methods: methodsIn(flags) ?? before.methods,
      idleSeconds: secondsIn(flags, 'idle', before.idleSeconds),
      sessionSeconds: secondsIn(flags, 'session', before.sessionSeconds),
      freshSeconds: secondsIn(flags, 'fresh', before.freshSeconds),
    }
    const ended = await asUsage(
      transact(world.db, async (tx) => {
        if (flags['any-address']) await setSourceLimits(tx, world, cause, noLimits)
        return setPolicy(tx, world, cause, policy)
      }),
    )
    print(told(policy, await findSourceLimits(world, world.db, tenant.id)))
    if (ended.length > 0) print(`Ended ${ended.length} sessions that used another method.`)
    return 0
  })
