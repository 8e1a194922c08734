import { Refusal } from '#kernel/refusals.ts'
import { transact } from '#kernel/sql.ts'
import { operatorCause } from '#rooms/foundation/systemlog/index.ts'
import { makeLink } from '#rooms/identity/sessions/index.ts'
import { findUserByEmail } from '#rooms/identity/users/index.ts'
import { UsageError } from '#server/settings/config.ts'
import type { Run } from './command.ts'
import { chooseTenant, operate } from './operate.ts'
import { print, printJson } from './print.ts'
import { signInUrl, tenantUrl } from './tenant-url.ts'

export const signInLink: Run = ({ flags }) =>
  operate(flags, async (world) => {
    const tenant = await chooseTenant(world, flags)
    const url = tenantUrl(tenant.domain, flags)
    const email = flags['user'] as string
    const person = await findUserByEmail(world.db, tenant.id, email)
    if (!person) throw new UsageError(`no user has the email address ${email}`)
    const cause = operatorCause(tenant, 'sign-in-link')
    const isBreakGlass = flags['break-glass'] === true
    const { token, expiresAt } = await transact(world.db, (tx) =>
      makeLink(tx, world, cause, person.id, isBreakGlass),
    ).catch((error: unknown) => {
      if (!(error instanceof Refusal)) throw error
      const advice = error.reason === 'SIGN_IN_REFUSED' ? ' Use --break-glass in an emergency.' : ''
      throw new UsageError(`${error.message}${advice}`)
    })
    const link = signInUrl(url, token)
    if (flags['json']) printJson({ url: link, expiresAt })
    else print(`${link}\nWorks once, until ${expiresAt.toISOString()}. Anyone who has it can sign in as ${email}.`)
    return 0
  })
