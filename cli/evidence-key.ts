import { evidenceKeyOf, pemOf } from '#rooms/foundation/evidence/index.ts'
import type { Run } from './command.ts'
import { chooseTenant, operate } from './operate.ts'
import { print, printJson } from './print.ts'

export const evidenceKey: Run = ({ flags }) =>
  operate(flags, async (world) => {
    const { fingerprint, publicKey } = evidenceKeyOf(world, await chooseTenant(world, flags))
    if (flags['json']) printJson({ fingerprint, publicKey: pemOf(publicKey) })
    else print(fingerprint)
    return 0
  })
