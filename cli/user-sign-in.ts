import { transact } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import { operatorCause } from '#rooms/foundation/systemlog/index.ts'
import type { Tenant } from '#rooms/foundation/tenants/index.ts'
import {
  endSessionsOf,
  findOidc,
  issuerProblem,
  linkByOperator,
  listIdentitiesOf,
  unlinkIdentity,
} from '#rooms/identity/sessions/index.ts'
import { findUserByEmail } from '#rooms/identity/users/index.ts'
import { UsageError } from '#server/settings/config.ts'
import type { Run } from './command.ts'
import { asUsage, chooseTenant, operate } from './operate.ts'
import { print } from './print.ts'

async function getPersonId(world: World, tenant: Tenant, email: string): Promise<string> {
  const person = await findUserByEmail(world.db, tenant.id, email)
  if (!person) throw new UsageError(`no user has the email address ${email}`)
  return person.id
}

export const userEndSessions: Run = ({ positionals, flags }) =>
  operate(flags, async (world) => {
    const tenant = await chooseTenant(world, flags)
    const email = positionals[0] as string
    const userId = await getPersonId(world, tenant, email)
    const cause = operatorCause(tenant, 'user end-sessions')
    const ended = await asUsage(transact(world.db, (tx) => endSessionsOf(tx, world, cause, userId, null)))
    print(`Ended ${ended.length} ${ended.length === 1 ? 'session' : 'sessions'} of ${email}.`)
    return 0
  })

export const userLinkOidc: Run = ({ positionals, flags }) =>
  operate(flags, async (world) => {
    const tenant = await chooseTenant(world, flags)
    const email = positionals[0] as string
    const userId = await getPersonId(world, tenant, email)
    const cause = operatorCause(tenant, 'user link-oidc')
    const issuer = (flags['issuer'] as string | undefined) ?? (await findOidc(world, world.db, cause))?.issuer
    if (issuer === undefined) throw new UsageError(`${tenant.domain} has no OpenID Connect provider`)
    const problem = issuerProblem(issuer)
    if (problem) throw new UsageError(`--issuer ${problem}`)
    const subject = flags['subject'] as string
    if (subject === '') throw new UsageError('--subject is empty')
    await asUsage(transact(world.db, (tx) => linkByOperator(tx, world, cause, userId, { issuer, subject })))
    print(`Linked ${email} to ${subject} at ${issuer}.`)
    return 0
  })

const identitiesMax = 1000

export const userUnlinkOidc: Run = ({ positionals, flags }) =>
  operate(flags, async (world) => {
    const tenant = await chooseTenant(world, flags)
    const email = positionals[0] as string
    const userId = await getPersonId(world, tenant, email)
    const cause = operatorCause(tenant, 'user unlink-oidc')
    const page = { after: null, limit: identitiesMax }
    const linked = await listIdentitiesOf(world.db, tenant.id, userId, page)
    if (linked.length === 0) throw new UsageError(`${email} is not linked to an identity`)
    for (const { id } of linked) await asUsage(transact(world.db, (tx) => unlinkIdentity(tx, world, cause, userId, id)))
    print(`Unlinked ${email} from ${linked.map(({ subject, issuer }) => `${subject} at ${issuer}`).join(', ')}.`)
    return 0
  })
