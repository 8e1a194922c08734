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
 * Runs an operator command on the data: through the running server's database, or one started for the moment. Only what
 * is there to begin with may make new data: any other command that finds none was told the wrong place.
 */
export async function operate<T>(
  flags: FlagValues,
  work: (world: World) => Promise<T>,
  {
    mayCreate = false,
    /** Also on a database that lacks what this installation had: for the commands that look into it and accept it. */
    isOnAny = false,
  }: { mayCreate?: boolean; isOnAny?: boolean } = {},
): Promise<T> {
  const config = readSettings(dataSettings, flags, process.env)
  const { world, close } = await openWorld(config, 'command', openLog('warn'), { mayCreate })
  try {
    if (!isOnAny) await refuseDatabaseBehind(world)
    const done = await work(world)
    // No server may be there to do it, and what is not sealed is easier to remove.
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

/** What cannot be done is told in one line, as for any wrong value. */
export const asUsage = <T>(work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    throw error instanceof Refusal ? new UsageError(error.message) : error
  })
