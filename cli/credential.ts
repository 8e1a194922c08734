import { Refusal } from '#kernel/refusals.ts'
import { type Reads, type Tx, transact } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import { operatorCause } from '#rooms/foundation/systemlog/index.ts'
import {
  approveCredential,
  createCredential,
  dropCredential,
  type KeptCredential,
  lifespans,
  lockCredential,
  searchCredentials,
} from '#rooms/identity/credentials/index.ts'
import { findRoles } from '#rooms/identity/roles/index.ts'
import { findUserByEmail, type Person } from '#rooms/identity/users/index.ts'
import { type FlagValues, UsageError } from '#server/settings/config.ts'
import type { Run } from './command.ts'
import { chooseTenant, operate } from './operate.ts'
import { print, printJson, printTable } from './print.ts'
import { getRoles } from './roles.ts'
import { listMax } from './values.ts'

async function getPerson(db: Reads, tenantId: number, email: string): Promise<Person> {
  const person = await findUserByEmail(db, tenantId, email)
  if (!person) throw new UsageError(`no user has the email address ${email}`)
  return person
}

function lifespanOf(flags: FlagValues): number | null {
  const given = (flags['lifespan'] as string | undefined) ?? '90d'
  if (!Object.hasOwn(lifespans, given))
    throw new UsageError(`--lifespan must be one of ${Object.keys(lifespans).join(', ')}`)
  return lifespans[given as keyof typeof lifespans]
}

export const credentialCreate: Run = ({ flags }) =>
  operate(flags, async (world) => {
    const tenant = await chooseTenant(world, flags)
    const person = await getPerson(world.db, tenant.id, flags['user'] as string)
    const wanted = {
      userId: person.id,
      displayName: flags['name'] as string,
      lifespanSeconds: lifespanOf(flags),
      allowSourceCidr: (flags['allow-cidr'] as string[] | undefined) ?? [],
      scopedRoles: (await getRoles(world.db, tenant.id, (flags['role'] as string[] | undefined) ?? [])).map(
        ({ id }) => id,
      ),
    }
    const cause = operatorCause(tenant, 'credential create')
    const { credential, clientSecret } = await asUsage(
      transact(world.db, (tx) => createCredential(tx, world, cause, wanted)),
    )
    const { clientId, expiresTime } = credential
    if (flags['json']) printJson({ clientId, clientSecret, expiresTime })
    else
      print(
        [
          `Client ID      ${clientId}`,
          `Client Secret  ${clientSecret}`,
          `Expires        ${expiresTime?.toISOString() ?? 'never'}`,
          'The secret is not stored and cannot be shown again.',
        ].join('\n'),
      )
    return 0
  })

// What the API would refuse with a field is, on the command line, a wrong value.
const asUsage = <T>(work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    if (!(error instanceof Refusal)) throw error
    throw new UsageError(
      error.message.replace(/allowSourceCidr(\[\d+\])?/, '--allow-cidr').replace('displayName', '--name'),
    )
  })

async function credentialsOf(world: World, tenantId: number, flags: FlagValues) {
  const email = flags['user'] as string | undefined
  const userIds = email === undefined ? [] : [(await getPerson(world.db, tenantId, email)).id]
  return searchCredentials(world.db, tenantId, { query: '', userIds }, { after: null, limit: listMax })
}

export const credentialList: Run = ({ flags }) =>
  operate(flags, async (world) => {
    const tenant = await chooseTenant(world, flags)
    const credentials = await credentialsOf(world, tenant.id, flags)
    const roles = await findRoles(world.db, tenant.id, [...new Set(credentials.flatMap((each) => each.scopedRoles))])
    const roleNames = new Map(roles.map((role) => [role.id, role.displayName]))
    if (flags['json']) printJson(credentials)
    else
      printTable(
        ['NAME', 'CLIENT ID', 'EXPIRES', 'SCOPE', 'CREATED', 'LAST USED'],
        credentials.map((each) => [
          each.displayName,
          each.clientId,
          each.expiresTime?.toISOString() ?? 'never',
          each.scopedRoles.length > 0
            ? each.scopedRoles.map((id) => roleNames.get(id) ?? id).join(', ')
            : 'Full Permissions',
          each.createdAt.toISOString(),
          each.lastUsedAt?.toISOString() ?? 'never',
        ]),
      )
    return 0
  })

async function lockByClientId(tx: Tx, tenantId: number, clientId: string): Promise<KeptCredential> {
  const filter = { query: clientId, userIds: [] }
  const matches = await searchCredentials(tx, tenantId, filter, { after: null, limit: listMax })
  const match = matches.find((each) => each.clientId === clientId)
  const credential = match && (await lockCredential(tx, tenantId, match.id))
  if (!credential) throw new UsageError(`there is no API credential ${clientId}`)
  return credential
}

export const credentialApprove: Run = ({ positionals, flags }) =>
  operate(flags, async (world) => {
    const tenant = await chooseTenant(world, flags)
    const clientId = positionals[0] as string
    const cause = operatorCause(tenant, 'credential approve')
    await transact(world.db, async (tx) => {
      const credential = await lockByClientId(tx, tenant.id, clientId)
      if (!(await approveCredential(tx, world, cause, credential)))
        throw new UsageError(`${clientId} needs no approval: the database has not been restored since it was created`)
    })
    print(`${clientId} is accepted again.`)
    return 0
  })

export const credentialDelete: Run = ({ positionals, flags }) =>
  operate(flags, async (world) => {
    const tenant = await chooseTenant(world, flags)
    const clientId = positionals[0] as string
    const cause = operatorCause(tenant, 'credential delete')
    await transact(world.db, async (tx) => {
      await dropCredential(tx, world, cause, await lockByClientId(tx, tenant.id, clientId))
    })
    print(`Deleted ${clientId}.`)
    return 0
  })
