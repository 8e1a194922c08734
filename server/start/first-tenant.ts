import { transact } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import { change, operatorCause, record } from '#rooms/foundation/systemlog/index.ts'
import { domainServedAt, listTenants } from '#rooms/foundation/tenants/index.ts'
import { insertBuiltInPolicies } from '#rooms/governance/policies/index.ts'
import { makeLink } from '#rooms/identity/sessions/index.ts'
import { findUserByEmail, foundTenant } from '#rooms/identity/users/index.ts'
import type { DemoCounts, Progress } from '#server/demo/load.ts'
import { routes } from '#server/registry/routes.ts'
import { type Config, UsageError } from '#server/settings/config.ts'

export type { Progress } from '#server/demo/load.ts'

/** What the first start made. */
export type Founded = { owner: string; demo: DemoCounts | null; signInToken: string }

/** If there is no tenant yet, creates the one of the served address, with its owner and the demo company. */
export async function foundFirstTenant(
  world: World,
  config: Config,
  onProgress: Progress = () => {},
): Promise<Founded | null> {
  const begun = performance.now()
  const founded = await found(world, config, onProgress)
  const ms = Math.round(performance.now() - begun)
  if (founded) world.log.info({ ms }, `created the first tenant${founded.demo ? ', with the demo company' : ''}`)
  return founded
}

function found(world: World, config: Config, onProgress: Progress): Promise<Founded | null> {
  return transact(world.db, async (tx) => {
    // Several servers that start at once on an empty database create one tenant, not several.
    await tx`lock table tenants in share row exclusive mode`
    if ((await listTenants(tx)).length > 0) return null
    const tenant = await foundTenant(tx, world, { domain: firstDomain(config), ownerEmail: config.owner })
    if (typeof tenant === 'string') throw new UsageError(`--host ${config.host} cannot be the domain of a tenant`)
    await insertBuiltInPolicies(tx, world, tenant.id)
    const owner = await findUserByEmail(tx, tenant.id, config.owner)
    const { token } = await makeLink(tx, world, operatorCause(tenant, 'serve'), owner?.id ?? '')
    const founded = { owner: config.owner, signInToken: token }
    if (config.empty || config.databaseUrl !== null) return { ...founded, demo: null }
    // Loaded by the first start only.
    const { loadDemoCompany } = await import('#server/demo/load.ts')
    const demo = await loadDemoCompany(tx, world, { tenant, ownerId: owner?.id ?? '', routes }, onProgress)
    const cause = operatorCause(tenant, 'serve')
    const touched = { type: 'tenant', id: tenant.publicId, name: tenant.domain, data: demo }
    await record(tx, world, cause, change(cause, 'create', 'Loaded the demo company', [touched]))
    return { ...founded, demo }
  })
}

export const firstDomain = (config: Config): string =>
  domainServedAt(config.host, config.port, config.tlsSelfSigned || config.tlsCert !== null)
