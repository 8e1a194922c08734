import { transact } from '#kernel/sql.ts'
import { operatorCause } from '#rooms/foundation/systemlog/index.ts'
import { defaultPolicy, findPolicy, type SignInPolicy, setPolicy } from '#rooms/identity/sessions/index.ts'
import { type FlagValues, UsageError } from '#server/config.ts'
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

const told = (policy: SignInPolicy): string =>
  [
    `Allowed sign-in methods      ${policy.methods.join(', ') || 'none but break-glass links'}`,
    `Inactive sessions end after  ${minutes(policy.idleSeconds)}`,
    `All sessions end after       ${minutes(policy.sessionSeconds)}`,
    `A sign-in is recent for      ${minutes(policy.freshSeconds)}`,
  ].join('\n')

export const tenantPolicyShow: Run = ({ flags }) =>
  operate(flags, async (world) => {
    const tenant = await chooseTenant(world, flags)
    const policy = await findPolicy(world, world.db, operatorCause(tenant, 'tenant sign-in-policy show'))
    const { methods, idleSeconds, sessionSeconds, freshSeconds } = policy
    if (flags['json']) printJson({ methods, idleSeconds, sessionSeconds, freshSeconds })
    else print(told(policy))
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
    const ended = await asUsage(transact(world.db, (tx) => setPolicy(tx, world, cause, policy)))
    print(told(policy))
    if (ended.length > 0) print(`Ended ${ended.length} sessions that used another method.`)
    return 0
  })
