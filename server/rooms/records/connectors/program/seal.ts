import type { World } from '#kernel/world.ts'
import type { ConnectorProgram, ProgramSetting } from './program.ts'

const settingsPurpose = 'connector program settings'
const logPurpose = 'connector program log'

type Sealing = Pick<World, 'seals'>
/** For one connector and program: another program written into the row does not get the secrets. */
const contextOf = ({ connectorId, program }: Pick<ConnectorProgram, 'connectorId' | 'program'>): string =>
  JSON.stringify([connectorId, program])

export const sealSettings = (
  { seals }: Sealing,
  tenantId: number,
  of: Pick<ConnectorProgram, 'connectorId' | 'program'>,
  settings: readonly ProgramSetting[],
): Buffer => seals.seal(settingsPurpose, String(tenantId), Buffer.from(JSON.stringify(settings)), contextOf(of))

/** Null if the row is not as this server wrote it. */
export function openSettings(
  { seals }: Sealing,
  tenantId: number,
  of: Pick<ConnectorProgram, 'connectorId' | 'program' | 'sealedSettings'>,
): ProgramSetting[] | null {
  const plain = seals.open(settingsPurpose, String(tenantId), of.sealedSettings, contextOf(of))
  return plain && (JSON.parse(plain.toString()) as ProgramSetting[])
}

/** A line that a program printed. */
export type LogLine = { at: string; text: string }

export const sealLog = ({ seals }: Sealing, tenantId: number, connectorId: string, lines: readonly LogLine[]): Buffer =>
  seals.seal(logPurpose, String(tenantId), Buffer.from(JSON.stringify(lines)), connectorId)

export function openLog({ seals }: Sealing, tenantId: number, connectorId: string, sealed: Buffer | null): LogLine[] {
  const plain = sealed && seals.open(logPurpose, String(tenantId), sealed, connectorId)
  return plain ? (JSON.parse(plain.toString()) as LogLine[]) : []
}
