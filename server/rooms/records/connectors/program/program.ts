/** Whether the program of a connector runs. */
export const programStates = ['waiting', 'running', 'restarting', 'failed', 'stopped'] as const
export type ProgramState = (typeof programStates)[number]

/** A setting that a program is started with. */
export type ProgramSetting = { name: string; value: string; isSecret: boolean }

/** What a connector is run with, by this server. */
export type ConnectorProgram = {
  connectorId: string
  /** A file in the folder that the operator named. */
  program: string
  sealedSettings: Buffer
  /** Whether it may change the app. */
  isProvisioning: boolean
  /** Changes when it has to be started again. */
  revision: number
  settingsUpdatedAt: Date
  state: ProgramState
  /** Why it does not run, or how it ended the last time. */
  detail: string
  stateSince: Date
  /** How often it has been started again since the settings were changed. */
  restarts: number
  sealedLog: Buffer | null
}

/** A program that has to run, or has to stop because its connector is paused. */
export type WantedProgram = Pick<ConnectorProgram, 'connectorId' | 'program' | 'sealedSettings' | 'isProvisioning'> &
  Pick<ConnectorProgram, 'revision'> & { displayName: string; isPaused: boolean }
