import { canonicalHost } from '#kernel/hosts.ts'
import { openLog } from '#kernel/log.ts'
import { Refusal } from '#kernel/refusals.ts'
import type { World } from '#kernel/world.ts'
import { keepHeads, refuseDatabaseBehind, sealUnheld } from '#rooms/foundation/systemlog/index.ts'
import { findTenantByHost, listTenants, type Tenant } from '#rooms/foundation/tenants/index.ts'
import { dataSettings, type FlagValues, readSettings, UsageError } from '#server/settings/config.ts'
import { openWorld } from '#server/start/world.ts'
import { ownCommand } from './own-command.ts'

/**
 * Runs an operator command on the data: in the running server's database, or in one that is started for the command. Only
 * commands that set up an installation may create new data: any other command that finds none was given the wrong place.
 */
export async function operate<T>(
  flags: FlagValues,
  work: (world: World) => Promise<T>,
  {
    mayCreate = false,
    /** Also on a database that lacks records of this installation: for the commands that inspect and accept it. */
    isOnAny = false,
  }: { mayCreate?: boolean; isOnAny?: boolean } = {},
): Promise<T> {
  const config = readSettings(dataSettings, flags, process.env)
  const { world, close } = await openWorld(config, 'command', openLog('warn'), { mayCreate })
  try {
    if (!isOnAny) await refuseDatabaseBehind(world)
    const done = await work(world)
    // There may be no server to do it, and events that are not sealed are easier to remove.
    await sealUnheld(world).catch((error: unknown) => {
      if (!isOnAny) throw error
    })
    await keepHeads(world)
    return done
  } finally {
    await close()
  }
}

/** The tenant that `--tenant` names, or the only one. */
export async function chooseTenant(world: World, flags: FlagValues): Promise<Tenant> {
  const domain = flags['tenant'] as string | undefined
  if (domain !== undefined) {
    const tenant = await findTenantByHost(world.db, canonicalHost(domain))
    if (!tenant) throw new UsageError(`there is no tenant ${domain}`)
    return tenant
  }
  const [only, ...others] = await listTenants(world.db)
  if (!only) throw new UsageError(`there is no tenant yet; create one with ${ownCommand()} tenant create`)
  if (others.length > 0) throw new UsageError('there are several tenants; select one with --tenant')
  return only
}

/** Reports a refusal in one line, like a usage error. */
export const asUsage = <T>(work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    throw error instanceof Refusal ? new UsageError(error.message) : error
  })
