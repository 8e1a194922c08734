import type { May } from '#authority/proof.ts'
import { type FieldViolation, invalid, Refusal } from '#kernel/refusals.ts'
import type { Call } from '#kernel/routes.ts'
import { type Reads, type Tx, transact } from '#kernel/sql.ts'
import { alert, causeOf, record } from '#rooms/foundation/systemlog/index.ts'
import { keepApp } from '#rooms/records/apps/index.ts'
import { describeProgram, entryOfUnknown } from '../catalog/of-program.ts'
import { createConnector, getConnector } from '../connector/actions.ts'
import type { ConnectorRef } from '../connector/ref.ts'
import type { Connector } from '../connector.ts'
import { findProgram, mayRun } from '../folder/list.ts'
import type { ConnectorProgram, ProgramSetting } from '../program/program.ts'
import { openSettings, sealSettings } from '../program/seal.ts'
import { countPrograms, findProgramOf, insertProgram, updateProgram } from '../program/store.ts'
import { programNotFound } from '../refuse.ts'
import { lockConnector } from '../tasks/store.ts'
import { readSettings } from './settings.ts'

const programsMax = 50

type Said = readonly { name: string; value: string }[]

/** The settings for a program of the folder, which has to be one that this tenant may use. */
async function settingsFor(call: Call, program: string, said: Said): Promise<ProgramSetting[]> {
  const file = mayRun(call, call.tenant) ? await findProgram(call, program) : null
  if (!file || file.problem !== '') throw programNotFound(program.slice(0, 64))
  const entry = (await describeProgram(call, file)) ?? entryOfUnknown(file)
  const read = readSettings(said, entry, 'settings')
  const isWrong = (each: ProgramSetting | FieldViolation): each is FieldViolation => 'field' in each
  if (read.some(isWrong)) throw invalid(...(read as [FieldViolation, ...FieldViolation[]]))
  return read as ProgramSetting[]
}

export type WantedRun = {
  appId: string
  displayName: string
  description: string
  program: string
  settings: Said
  isProvisioning: boolean
}

/** Creates a connector whose program this server runs. It is started at once. */
export async function createRun(call: May<'connectors.change'>, wanted: WantedRun): Promise<Connector> {
  const settings = await settingsFor(call, wanted.program, wanted.settings)
  return transact(call.db, async (tx) => {
    const { appId, displayName, description, program, isProvisioning } = wanted
    await keepApp(tx, call, appId)
    if ((await countPrograms(tx, call.tenant.id)) >= programsMax)
      throw new Refusal(
        'CONNECTOR_PROGRAMS_TOO_MANY',
        `This server runs at most ${programsMax} connectors of an organization. Delete one, or run this one elsewhere.`,
      )
    const of = { appId, displayName, description, catalogId: program }
    const connector = await createConnector(tx, call, causeOf(call), of)
    const key = { connectorId: connector.id, program }
    const sealedSettings = sealSettings(call, call.tenant.id, key, settings)
    await insertProgram(tx, call.tenant.id, { ...key, sealedSettings, isProvisioning, at: call.now() })
    await recordProgram(tx, call, connector, { program, settings, isProvisioning })
    return connector
  })
}

type Recorded = { program: string; settings: readonly ProgramSetting[]; isProvisioning: boolean }

/** Names of settings, and never their values. */
async function recordProgram(tx: Tx, call: Call, connector: Connector, of: Recorded): Promise<void> {
  const { id, displayName: name, appId } = connector
  const { program, isProvisioning } = of
  const data = { appId, program, settings: of.settings.map((setting) => setting.name), isProvisioning }
  const cause = causeOf(call)
  const message = `Set what the server runs for the connector ${name}: ${program}`
  await record(tx, call, cause, alert(cause, 'update', message, [{ type: 'connector', id, name, data }]))
}

export async function getRun(db: Reads, call: Call, ref: ConnectorRef): Promise<ConnectorProgram> {
  await getConnector(db, call, ref)
  const program = await findProgramOf(db, call.tenant.id, ref.connectorId)
  if (!program) throw new Refusal('CONNECTOR_NOT_RUN_HERE', 'This server does not run the program of this connector.')
  return program
}

export type RunChanges = { settings: Said | null; isProvisioning: boolean | null }

/**
 * Changes what a program is started with, and starts it again. Settings are replaced as a whole, secrets included: whoever may change
 * an address must not be able to have unknown secrets sent there.
 */
export async function changeRun(
  call: May<'connectors.change'>,
  ref: ConnectorRef,
  changes: RunChanges,
): Promise<ConnectorProgram> {
  const { program } = await getRun(call.db, call, ref)
  const settings = changes.settings && (await settingsFor(call, program, changes.settings))
  return transact(call.db, async (tx) => {
    await lockConnector(tx, call.tenant.id, ref.connectorId)
    const before = await getRun(tx, call, ref)
    const connector = await getConnector(tx, call, ref)
    const at = call.now()
    const isProvisioning = changes.isProvisioning ?? before.isProvisioning
    const after = {
      ...before,
      ...(settings && {
        sealedSettings: sealSettings(call, call.tenant.id, before, settings),
        settingsUpdatedAt: at,
      }),
      isProvisioning,
    }
    await updateProgram(tx, call.tenant.id, { ...after, at })
    const shown = settings ?? openSettings(call, call.tenant.id, before) ?? []
    await recordProgram(tx, call, connector, { program, settings: shown, isProvisioning })
    return (await findProgramOf(tx, call.tenant.id, ref.connectorId)) as ConnectorProgram
  })
}

/** Starts a program again, also one that was given up. */
export const restartRun = (call: May<'connector.edit'>, ref: ConnectorRef): Promise<ConnectorProgram> =>
  transact(call.db, async (tx) => {
    await lockConnector(tx, call.tenant.id, ref.connectorId)
    const before = await getRun(tx, call, ref)
    const { id, displayName: name } = await getConnector(tx, call, ref)
    await updateProgram(tx, call.tenant.id, { ...before, at: call.now() })
    const cause = causeOf(call)
    const touched = { type: 'connector', id, name, data: { program: before.program } }
    await record(tx, call, cause, alert(cause, 'update', `Restarted the program of the connector ${name}`, [touched]))
    return (await findProgramOf(tx, call.tenant.id, ref.connectorId)) as ConnectorProgram
  })
