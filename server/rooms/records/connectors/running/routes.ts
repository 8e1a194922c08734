import { route } from '#authority/route.ts'
import type { Call } from '#kernel/routes.ts'
import { described, flag, int32, listOf, message, nested, oneOf, required, text, timestamp } from '#kernel/wire.ts'
import { about, refOf } from '../connector/ref.ts'
import { connectorReply, viewConnector } from '../connector/view.ts'
import type { ConnectorProgram } from '../program/program.ts'
import { openLog, openSettings } from '../program/seal.ts'
import { changeRun, createRun, getRun, restartRun } from './actions.ts'
import { settingsMax, valueLengthMax } from './settings.ts'

const shownStates = [
  'CONNECTOR_PROGRAM_STATE_UNSPECIFIED',
  'CONNECTOR_PROGRAM_STATE_WAITING',
  'CONNECTOR_PROGRAM_STATE_RUNNING',
  'CONNECTOR_PROGRAM_STATE_RESTARTING',
  'CONNECTOR_PROGRAM_STATE_FAILED',
  'CONNECTOR_PROGRAM_STATE_STOPPED',
] as const

const SettingValue = message('connector.v1.ConnectorProgramSettingValue', {
  name: required(text({ maxLength: 64 })),
  value: text({ maxLength: valueLengthMax }),
})
const settings = () =>
  described(listOf(SettingValue, settingsMax), 'By their names in the catalog, without dashes in front.')
const isProvisioning = () => described(flag(), 'Whether it may grant and revoke access and create accounts in the app.')

const RunMessage = message(
  'connector.v1.ConnectorRun',
  {
    program: described(text(), 'The name of its program, in the folder of the server.'),
    state: described(
      oneOf(shownStates),
      'Waiting: not started yet. Restarting: it ended, and is started again after a while. Failed: it ended too often, and is not started again. Stopped: `detail` says why.',
    ),
    detail: described(text(), 'How it ended the last time, or why it does not run.'),
    stateSince: timestamp(),
    restarts: described(int32(), 'How often it was started again since its settings were changed.'),
    isProvisioning: isProvisioning(),
    settings: described(
      listOf(
        message('connector.v1.ConnectorProgramSetting', {
          name: text(),
          value: described(text(), 'Empty for a secret.'),
          isSecret: flag(),
        }),
      ),
      'The settings that are set.',
    ),
    settingsUpdatedAt: timestamp(),
  },
  'The program of a connector that this server runs.',
)
const runReply = (name: string) => message(name, { run: nested(RunMessage) })

const LineMessage = message('connector.v1.ConnectorProgramLogLine', { at: text(), text: text() })

const view = (call: Call, of: ConnectorProgram) => ({
  ...of,
  state: `CONNECTOR_PROGRAM_STATE_${of.state.toUpperCase()}` as (typeof shownStates)[number],
  settings: (openSettings(call, call.tenant.id, of) ?? []).map((setting) => ({
    ...setting,
    value: setting.isSecret ? '' : setting.value,
  })),
})

export const runningProgramRoutes = [
  route({
    id: 'connector.v1.ConnectorProgramService.Create',
    at: 'POST /api/v1/apps/{app_id}/connectors/programs',
    summary:
      'Create a connector whose program this server runs. Its settings are stored encrypted; secrets are never returned.',
    rule: 'connectors.change',
    body: message('connector.v1.ConnectorProgramServiceCreateRequest', {
      program: required(text({ maxLength: 64 })),
      displayName: required(text({ maxLength: 200 })),
      description: text({ maxLength: 10_000 }),
      settings: settings(),
      isProvisioning: isProvisioning(),
    }),
    reply: connectorReply('connector.v1.ConnectorProgramServiceCreateResponse'),
    async handle(call, { path, body }) {
      const wanted = { ...body, appId: path.app_id, displayName: body.displayName.trim() }
      return { connectorView: viewConnector(await createRun(call, wanted), null, []) }
    },
  }),
  route({
    id: 'connector.v1.ConnectorProgramService.Get',
    at: 'GET /api/v1/apps/{app_id}/connectors/{connector_id}/program',
    summary: 'Get the state and the settings of a program that this server runs, without secrets.',
    rule: 'connector.read',
    about,
    reply: runReply('connector.v1.ConnectorProgramServiceGetResponse'),
    handle: async (call, { path }) => ({ run: view(call, await getRun(call.db, call, refOf(path))) }),
  }),
  route({
    id: 'connector.v1.ConnectorProgramService.GetLog',
    at: 'GET /api/v1/apps/{app_id}/connectors/{connector_id}/program/log',
    summary:
      'Get the last lines that a program printed which this server runs, oldest first. Its secret settings are replaced by [redacted].',
    rule: 'connectors.change',
    reply: message('connector.v1.ConnectorProgramServiceGetLogResponse', { list: listOf(LineMessage) }),
    async handle(call, { path }) {
      const { connectorId, sealedLog } = await getRun(call.db, call, refOf(path))
      return { list: openLog(call, call.tenant.id, connectorId, sealedLog) }
    },
  }),
  route({
    id: 'connector.v1.ConnectorProgramService.Update',
    at: 'POST /api/v1/apps/{app_id}/connectors/{connector_id}/program',
    summary:
      'Change the settings of a program that this server runs, and start it again. Settings are replaced as a whole, secrets included.',
    rule: 'connectors.change',
    body: message('connector.v1.ConnectorProgramServiceUpdateRequest', {
      settings: settings(),
      keepsSettings: described(flag(), 'Leaves the settings as they are.'),
      isProvisioning: isProvisioning(),
    }),
    reply: runReply('connector.v1.ConnectorProgramServiceUpdateResponse'),
    async handle(call, { path, body }) {
      const changes = { settings: body.keepsSettings ? null : body.settings, isProvisioning: body.isProvisioning }
      return { run: view(call, await changeRun(call, refOf(path), changes)) }
    },
  }),
  route({
    id: 'connector.v1.ConnectorProgramService.Restart',
    at: 'POST /api/v1/apps/{app_id}/connectors/{connector_id}/program/restart',
    summary: 'Start a program that this server runs again, also one that failed too often.',
    rule: 'connector.edit',
    about,
    reply: runReply('connector.v1.ConnectorProgramServiceRestartResponse'),
    handle: async (call, { path }) => ({ run: view(call, await restartRun(call, refOf(path))) }),
  }),
]
