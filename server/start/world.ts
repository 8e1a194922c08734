import { join } from 'node:path'
import type { Logger } from 'pino'
import type { Database } from '#database/open.ts'
import { idMaker } from '#kernel/ids.ts'
import { openMemory } from '#kernel/memory.ts'
import type { World } from '#kernel/world.ts'
import { openKept } from '#rooms/foundation/systemlog/index.ts'
import { closeExpressions } from '#rooms/rules/expressions/index.ts'
import { type Clock, systemClock } from '#server/engine/clock.ts'
import { connectHooks } from '#server/registry/hooks.ts'
import { type SealRows, sealExistingRows } from '#server/secrets/sealed-rows.ts'
import { openSeals } from '#server/secrets/secret-key.ts'
import type { Config, DataConfig, MailConfig } from '#server/settings/config.ts'
import { readMailSettings } from '#server/settings/mail-settings.ts'
import { type OutgoingConfig, outgoingRules } from '#server/settings/outgoing-rules.ts'
import { settings } from '#server/settings/settings.ts'
import { sendToPrimary } from '#server/workers/worker.ts'
import { type DataOptions, openData } from './open-data.ts'

type ExportConfig = Partial<Pick<Config, 'datasourcesFile' | 'systemlogRetention'>>

export type Opened = { world: World; database: Database; close(): Promise<void> }

export type OpenOptions = Pick<DataOptions, 'mayCreate' | 'worker'> & {
  clock?: Clock
  /** Where it is open already. */
  database?: Database
}

/** Opens the data: the database, at its newest schema, and the secret key that belongs to it. */
export async function openWorld(
  config: DataConfig &
    Partial<Pick<Config, 'tokenLifetime' | 'systemlogWitness' | 'tokensPerMinute'>> &
    OutgoingConfig &
    ExportConfig &
    Partial<MailConfig>,
  purpose: 'serve' | 'command',
  log: Logger,
  { clock: { now } = systemClock, mayCreate = true, worker, database: given }: OpenOptions = {},
): Promise<Opened> {
  const outgoing = await outgoingRules(config)
  const mail = await readMailSettings(config)
  const database = given ?? (await openData(config, purpose, log, { mayCreate, ...(worker && { worker }) }))
  try {
    const keyFile = config.secretKeyFile ?? join(config.dataDir, 'secret.key')
    const seals = await openSeals(database.db, keyFile, now())
    const world: World = {
      db: database.db,
      now,
      newId: idMaker(Date.now),
      log,
      seals,
      memory: openMemory(() => world),
      ...(worker && { notifyWorkers: (forgotten) => sendToPrimary({ is: 'forget', forgotten }) }),
      settings: {
        clientSecret: { serviceDomain: config.serviceDomain, hasVersion: config.clientSecretV1 },
        // Only the server issues tokens.
        tokenLifetimeSeconds: config.tokenLifetime ?? settings['token-lifetime'].fallback,
        headsFile: config.headsFile ?? `${keyFile}.heads`,
        ...(config.systemlogWitness && { witnesses: config.systemlogWitness }),
        ...(config.tokensPerMinute && { tokensPerMinute: config.tokensPerMinute }),
        ...(worker && { workers: worker.workers }),
        outgoing,
        ...(config.datasourcesFile && { datasourcesFile: config.datasourcesFile }),
        ...(config.systemlogRetention && { systemlogRetentionDays: config.systemlogRetention }),
        ...(mail && { mail }),
      },
    }
    connectHooks()
    await openKept(world)
    if (!worker)
      await sealExistingRows(world, [`${keyFile}.sealed`, join(config.dataDir, 'secret.key.sealed')], rowsToSeal)
    const close = async (): Promise<void> => {
      await closeExpressions(world)
      await database.close()
    }
    return { world, database, close }
  } catch (error) {
    await database.close()
    throw error
  }
}

/** Loaded only where rows are not sealed yet: most commands need none of these rooms. */
const rowsToSeal = async (): Promise<SealRows[]> => {
  const [roles, credentials, sessions] = await Promise.all([
    import('#rooms/identity/roles/index.ts'),
    import('#rooms/identity/credentials/index.ts'),
    import('#rooms/identity/sessions/index.ts'),
  ])
  return [roles.sealExistingRoles, credentials.sealExistingCredentials, sessions.sealExistingSignIns]
}
