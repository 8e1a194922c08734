import { described, flag, int32, list, listOf, message, nested, oneOf, text, timestamp } from '#kernel/wire.ts'
import { liveStateOf, liveStates } from '../connector/live-state.ts'
import { SyncMessage, viewSync } from '../syncs/view.ts'
import type { LastSync, OverviewRow, ShownCredential } from './overview.ts'

const Capabilities = message('connector.v1.ConnectorResourceTypeCapabilities', {
  resourceType: text(),
  capabilities: list(text()),
})

const Program = message(
  'connector.v1.ConnectorProgram',
  {
    name: text(),
    package: text(),
    version: text(),
    agent: described(text(), 'The name and SDK version that it sends with each call.'),
    os: text(),
    hostname: text(),
    capabilities: described(list(text()), 'What it can do: sync, provision, account_provisioning and others.'),
    resourceTypes: listOf(Capabilities),
  },
  'What a connector reports about itself.',
)

const Credential = message('connector.v1.ConnectorCredentialSummary', {
  id: text(),
  clientId: text(),
  createdAt: timestamp(),
  expiresAt: timestamp(),
  lastUsedAt: timestamp(),
  revokedAt: timestamp(),
})

const Schedule = message('connector.v1.ConnectorSchedule', {
  cronSpec: described(text(), 'Empty if it syncs at a fixed interval.'),
  timezone: text(),
  everySeconds: int32(),
})

export const ConnectorOverview = message(
  'connector.v1.ConnectorOverview',
  {
    id: text(),
    appId: text(),
    appName: text(),
    displayName: text(),
    description: text(),
    catalogId: text(),
    isBuiltIn: described(flag(), 'Whether this server runs it, as for apps that support SCIM.'),
    state: described(
      oneOf(liveStates),
      'Whether it is connected: a silent connector has not called for 2 minutes, or its app did not respond to the last sync of this server. A paused one gets no tasks.',
    ),
    lastSeenAt: timestamp(),
    pausedAt: timestamp(),
    createdAt: timestamp(),
    nextSyncAt: timestamp(),
    lastSync: nested(SyncMessage),
    schedule: nested(Schedule),
    program: nested(Program),
    credentials: described(listOf(Credential), 'The latest 10, newest first. Not in lists.'),
  },
  'A connector with its state and its last activity.',
)

export const viewOverview = (
  { metadata, agent, hostId, syncDisabledAt, cronSpec, cronTimeZone, syncEverySeconds, ...row }: OverviewRow,
  last: LastSync | null,
  at: Date,
  credentials: readonly ShownCredential[] = [],
) => ({
  ...row,
  state: liveStateOf({ ...row, syncDisabledAt }, at, last?.sync ?? null),
  pausedAt: syncDisabledAt,
  lastSync: last && viewSync(last.sync, { ...row, syncDisabledAt }, last.done, at),
  schedule: { cronSpec, timezone: cronTimeZone, everySeconds: syncEverySeconds },
  program: {
    name: metadata.name ?? '',
    package: metadata.package ?? '',
    version: metadata.version ?? '',
    agent,
    os: metadata.os ?? '',
    hostname: metadata.hostname || hostId,
    capabilities: metadata.capabilities ?? [],
    resourceTypes: (metadata.resourceTypes ?? []).map(({ id, capabilities }) => ({ resourceType: id, capabilities })),
  },
  credentials,
})
