import { expandedField } from '#kernel/expand.ts'
import {
  described,
  fixed,
  flag,
  leftOut,
  list,
  message,
  nested,
  oneOf,
  readOnly,
  struct,
  text,
  timestamp,
} from '#kernel/wire.ts'
import { configOnWire } from '../catalog/config.ts'
import type { Connector, ConnectorTask } from '../connector.ts'
import { type SyncStatus, statusOf, syncStatuses } from './decide.ts'

export const ownersMax = 1000

const ConnectorStatus = message('app.v1.ConnectorStatus', {
  status: oneOf(syncStatuses),
  startedAt: timestamp(),
  completedAt: timestamp(),
  updatedAt: timestamp(),
  lastError: text(),
})

const CronSchedule = message('app.v1.ConnectorSyncCronSchedule', {
  cronSpec: text(),
  timezone: text(),
  start: leftOut(described(timestamp(), 'Since when.')),
})

export const ConnectorMessage = message(
  'app.v1.Connector',
  {
    id: fixed(text()),
    appId: fixed(text()),
    displayName: text({ maxLength: 200 }),
    description: text({ maxLength: 10_000 }),
    catalogId: fixed(text()),
    config: described(struct(), 'Its settings, except secrets. Only for connectors of the catalog.'),
    configUpdatedAt: leftOut(readOnly(timestamp())),
    canResumeSync: fixed(flag()),
    status: fixed(nested(ConnectorStatus)),
    connectorSyncCronSchedule: leftOut(
      described(
        fixed(nested(CronSchedule)),
        'When it syncs; every hour by default. It is set by UpdateConnectorSchedule.',
      ),
    ),
    nextSyncAt: described(readOnly(timestamp()), 'When the next sync is due.'),
    syncDisabledAt: readOnly(timestamp()),
    syncDisabledReason: fixed(text()),
    userIds: described(list(text({ maxLength: 64 }), ownersMax), 'The users who own it, in the role primary.'),
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

/** A connector with its last sync and its owners. */
export const viewConnector = (connector: Connector, last: ConnectorTask | null, userIds: readonly string[]) => ({
  connector: {
    ...connector,
    canResumeSync: connector.syncDisabledAt !== null,
    status: viewStatus(statusOf(connector, last), last),
    heldSyncId: last?.state === 'held' ? last.id : '',
    userIds,
    config: configOnWire(connector.config),
    connectorSyncCronSchedule:
      connector.cronSpec === ''
        ? null
        : { cronSpec: connector.cronSpec, timezone: connector.cronTimeZone, start: connector.cronSince },
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
