import { expandedField } from '#kernel/expand.ts'
import { described, flag, list, message, nested, oneOf, readOnly, text, timestamp } from '#kernel/wire.ts'
import type { Connector, ConnectorTask } from '../connector.ts'
import { type SyncStatus, statusOf, syncStatuses } from './decide.ts'

const ConnectorStatus = message('app.v1.ConnectorStatus', {
  status: oneOf(syncStatuses),
  startedAt: timestamp(),
  completedAt: timestamp(),
  updatedAt: timestamp(),
  lastError: text(),
})

const ConnectorMessage = message(
  'app.v1.Connector',
  {
    id: text(),
    appId: text(),
    displayName: text(),
    description: text(),
    catalogId: text(),
    canResumeSync: flag(),
    status: nested(ConnectorStatus),
    syncDisabledAt: readOnly(timestamp()),
    syncDisabledReason: text(),
    userIds: list(text()),
    createdAt: readOnly(timestamp()),
    updatedAt: readOnly(timestamp()),
    deletedAt: readOnly(timestamp()),
    lastSeenAt: described(readOnly(timestamp()), 'When the connector last called.'),
    agent: described(readOnly(text()), 'The name and version that the connector reports.'),
    heldSyncId: described(readOnly(text()), 'The sync that is held until someone confirms what it would remove.'),
  },
  'A program that runs next to an app, and reads it.',
)

export const ConnectorView = message('app.v1.ConnectorView', {
  connector: nested(ConnectorMessage),
  appPath: text(),
  usersPath: text(),
  capabilitiesPath: text(),
})
export const connectorReply = (name: string) =>
  message(name, { connectorView: nested(ConnectorView), expanded: expandedField })

/** A connector with its last sync. */
export const viewConnector = (connector: Connector, last: ConnectorTask | null) => ({
  connector: {
    ...connector,
    canResumeSync: connector.syncDisabledAt !== null,
    status: viewStatus(statusOf(connector, last), last),
    heldSyncId: last?.state === 'held' ? last.id : '',
    userIds: [],
  },
  appPath: '',
  usersPath: '',
  capabilitiesPath: '',
})

const viewStatus = (status: SyncStatus, last: ConnectorTask | null) => ({
  status,
  startedAt: last?.begunAt ?? null,
  completedAt: last?.endedAt ?? null,
  updatedAt: last ? (last.endedAt ?? last.begunAt ?? last.createdAt) : null,
  lastError: last?.error ?? '',
})
