import { described, flag, int32, list, listOf, message, nested, oneOf, text, timestamp } from '#kernel/wire.ts'
import { EntitlementRef, type WithoutConnector } from '#rooms/records/apps/index.ts'
import type { AppConnector } from '#rooms/records/connectors/index.ts'
import type { Asked } from './asked.ts'
import type { AppState, Counts, EnforcedBy, Enforcement, Enforcer } from './decide.ts'

const states = [
  'ENFORCEMENT_STATE_UNSPECIFIED',
  'ENFORCEMENT_STATE_CONNECTED',
  'ENFORCEMENT_STATE_MANUAL',
  'ENFORCEMENT_STATE_RECORDS_ONLY',
  'ENFORCEMENT_STATE_BUILT_IN',
] as const
export const stateOnWire: { [state in AppState]: (typeof states)[number] } = {
  connected: 'ENFORCEMENT_STATE_CONNECTED',
  manual: 'ENFORCEMENT_STATE_MANUAL',
  'records only': 'ENFORCEMENT_STATE_RECORDS_ONLY',
  'built in': 'ENFORCEMENT_STATE_BUILT_IN',
}
export const stateField = () =>
  described(
    oneOf(states),
    'Connected: it has a connector. Manual: people or a webhook are asked. Records only: changes are recorded, and for at least one entitlement nobody is asked. Built in: Bailiwick itself is the app.',
  )

export const withoutConnectorNames = [
  'WITHOUT_CONNECTOR_UNSPECIFIED',
  'WITHOUT_CONNECTOR_MANUAL',
  'WITHOUT_CONNECTOR_RECORDS_ONLY',
] as const
const withoutOnWire: { [kind in WithoutConnector]: (typeof withoutConnectorNames)[number] } = {
  manual: 'WITHOUT_CONNECTOR_MANUAL',
  'records only': 'WITHOUT_CONNECTOR_RECORDS_ONLY',
}

export const withoutConnectorOf: {
  readonly [name in (typeof withoutConnectorNames)[number]]: WithoutConnector | null
} = {
  WITHOUT_CONNECTOR_UNSPECIFIED: null,
  WITHOUT_CONNECTOR_MANUAL: 'manual',
  WITHOUT_CONNECTOR_RECORDS_ONLY: 'records only',
}

const byNames = [
  'ENFORCED_BY_UNSPECIFIED',
  'ENFORCED_BY_CONNECTOR',
  'ENFORCED_BY_WEBHOOK',
  'ENFORCED_BY_PEOPLE',
  'ENFORCED_BY_ANOTHER_ENTITLEMENT',
  'ENFORCED_BY_BAILIWICK',
  'ENFORCED_BY_NOBODY',
] as const
const byOnWire: { [by in EnforcedBy]: (typeof byNames)[number] } = {
  connector: 'ENFORCED_BY_CONNECTOR',
  webhook: 'ENFORCED_BY_WEBHOOK',
  people: 'ENFORCED_BY_PEOPLE',
  'another entitlement': 'ENFORCED_BY_ANOTHER_ENTITLEMENT',
  bailiwick: 'ENFORCED_BY_BAILIWICK',
  nobody: 'ENFORCED_BY_NOBODY',
}

const healths = [
  'CONNECTOR_HEALTH_UNSPECIFIED',
  'CONNECTOR_HEALTH_SYNCED',
  'CONNECTOR_HEALTH_FAILING',
  'CONNECTOR_HEALTH_HELD',
  'CONNECTOR_HEALTH_SILENT',
  'CONNECTOR_HEALTH_NEVER_SYNCED',
  'CONNECTOR_HEALTH_DISABLED',
] as const
export const healthOnWire: { [health in AppConnector['health']]: (typeof healths)[number] } = {
  synced: 'CONNECTOR_HEALTH_SYNCED',
  failing: 'CONNECTOR_HEALTH_FAILING',
  held: 'CONNECTOR_HEALTH_HELD',
  silent: 'CONNECTOR_HEALTH_SILENT',
  'never synced': 'CONNECTOR_HEALTH_NEVER_SYNCED',
  disabled: 'CONNECTOR_HEALTH_DISABLED',
}

export const healthField = () =>
  described(
    oneOf(healths),
    'Synced: its last sync was imported. Failing: its last sync failed. Held: its last sync waits for someone to confirm it. Silent: it no longer calls, and has not synced for a day. Disabled: it is paused.',
  )

const ConnectorMessage = message(
  'bailiwick.v1.EnforcingConnector',
  {
    id: text(),
    displayName: text(),
    health: healthField(),
    lastSyncedAt: described(timestamp(), 'When its last successful sync was imported.'),
    lastFailureAt: described(timestamp(), 'When its last sync failed or was held; null if it was imported.'),
    lastFailure: described(text(), 'Why.'),
    reads: described(flag(), 'Whether it reads accounts and access.'),
    grants: described(flag(), 'Whether it grants access in the app.'),
    revokes: described(flag(), 'Whether it revokes access in the app.'),
    createsAccounts: flag(),
    whyNot: described(text(), 'Why it does not grant and revoke; empty if it does.'),
  },
  'A connector of an app, and what it can do there.',
)

const CountsMessage = message(
  'bailiwick.v1.EnforcementCounts',
  { connector: int32(), webhook: int32(), people: int32(), anotherEntitlement: int32(), nobody: int32() },
  'How many entitlements are granted by whom. Those that Bailiwick itself enforces are not counted.',
)

export const AppEnforcement = message(
  'bailiwick.v1.AppEnforcement',
  {
    appId: text(),
    state: stateField(),
    withoutConnector: described(
      oneOf(withoutConnectorNames),
      'What happens to a change that no connector carries out because there is none: the owners of the app are asked, or it is only recorded.',
    ),
    connectors: described(listOf(ConnectorMessage), 'Only for callers who may read the settings of the app.'),
    entitlementCounts: described(nested(CountsMessage), 'Only for callers who may read the settings of the app.'),
  },
  'Whether decisions about an app are carried out in it, and by whom. It is judged from the facts each time it is read.',
)

const connectorOnWire = ({ provisions, lastFailure, health, ...connector }: AppConnector) => ({
  ...connector,
  health: healthOnWire[health],
  lastFailureAt: lastFailure?.at ?? null,
  lastFailure: lastFailure?.error ?? '',
  grants: provisions,
  revokes: provisions,
})

type AppShown = {
  id: string
  state: AppState
  withoutConnector: WithoutConnector
  connectors: readonly AppConnector[]
  counts: Counts
}

/** `isWhole`: with what only those see who may read the settings of the app. */
export const appOnWire = ({ id, state, withoutConnector, connectors, counts }: AppShown, isWhole: boolean) => ({
  appId: id,
  state: stateOnWire[state],
  withoutConnector: withoutOnWire[withoutConnector],
  connectors: isWhole ? connectors.map(connectorOnWire) : [],
  entitlementCounts: isWhole ? { ...counts, anotherEntitlement: counts['another entitlement'] } : null,
})

export const AppStateMessage = message('bailiwick.v1.AppEnforcementState', {
  appId: text(),
  state: stateField(),
  connectorDisplayName: described(text(), 'The connector that synced last, if it has one.'),
  lastSyncedAt: described(timestamp(), 'When its last successful sync was imported.'),
})

const latest = (connectors: readonly AppConnector[]): AppConnector | null =>
  connectors.toSorted((a, b) => (b.lastSyncedAt?.getTime() ?? 0) - (a.lastSyncedAt?.getTime() ?? 0))[0] ?? null

export function appStateOnWire({ id, state, connectors }: Omit<AppShown, 'counts' | 'withoutConnector'>) {
  const connector = latest(connectors)
  return {
    appId: id,
    state: stateOnWire[state],
    connectorDisplayName: connector?.displayName ?? '',
    lastSyncedAt: connector?.lastSyncedAt ?? null,
  }
}

const askedKinds = [
  'ASKED_UNSPECIFIED',
  'ASKED_USERS',
  'ASKED_GROUP',
  'ASKED_EXPRESSION',
  'ASKED_MANAGER',
  'ASKED_APP_OWNERS',
  'ASKED_ENTITLEMENT_OWNERS',
] as const
const askedOnWire: { [by in Asked['by']]: readonly [(typeof askedKinds)[number], words: string] } = {
  users: ['ASKED_USERS', 'the people who are named'],
  group: ['ASKED_GROUP', 'everyone who has an entitlement'],
  expression: ['ASKED_EXPRESSION', 'the people whom an expression returns'],
  manager: ['ASKED_MANAGER', 'the manager of the person'],
  appOwners: ['ASKED_APP_OWNERS', 'the owners of the app'],
  entitlementOwners: ['ASKED_ENTITLEMENT_OWNERS', 'the owners of the entitlement'],
}

const AskedMessage = message('bailiwick.v1.AskedToProvision', {
  kind: oneOf(askedKinds),
  words: described(text(), 'The same in words: "the owners of the app".'),
  userIds: list(text()),
  group: described(nested(EntitlementRef), 'Everyone who has this entitlement is asked.'),
  expressions: list(text()),
  fallbackUserIds: described(list(text()), 'Who is asked if there is nobody else.'),
})

const enforcerFields = {
  by: described(
    oneOf(byNames),
    'Who carries it out. By another entitlement: that one includes it. By Bailiwick: membership in an access profile. By nobody: it is recorded, and nobody is asked to change the app.',
  ),
  connectorId: text(),
  connectorDisplayName: text(),
  lastSyncedAt: described(timestamp(), 'When the last successful sync of that connector was imported.'),
  webhookId: text(),
  asked: described(
    nested(AskedMessage),
    'The people who are asked; the names are for those who may read its settings.',
  ),
  entitlement: described(nested(EntitlementRef), 'The entitlement that includes it, if the caller may see that.'),
  why: described(text(), 'Why people are asked if nobody chose them: the reason that no connector does it.'),
}

export const EntitlementEnforcement = message(
  'bailiwick.v1.EntitlementEnforcement',
  {
    appId: text(),
    id: text(),
    ...enforcerFields,
    revocation: described(
      nested(message('bailiwick.v1.RevocationEnforcement', enforcerFields)),
      'Who revokes it, if that is not who grants it.',
    ),
  },
  'Who carries out grants and revocations of an entitlement in its app.',
)

const nobody = { connectorId: '', connectorDisplayName: '', lastSyncedAt: null, webhookId: '', asked: null, why: '' }

function askedView(asked: Asked, isWhole: boolean) {
  const [kind, words] = askedOnWire[asked.by]
  return {
    kind,
    words,
    userIds: isWhole && asked.by === 'users' ? asked.userIds : [],
    group: isWhole && asked.by === 'group' ? asked.entitlement : null,
    expressions: isWhole && asked.by === 'expression' ? asked.expressions : [],
    fallbackUserIds: isWhole ? asked.fallbackUserIds : [],
  }
}

type Showing = { isWhole: boolean; isSeen: (ref: { appId: string; id: string }) => boolean }

function enforcerOnWire(enforcer: Enforcer, { isWhole, isSeen }: Showing) {
  const own = { ...nobody, by: byOnWire[enforcer.by], entitlement: null }
  if (enforcer.by === 'connector') {
    const { id, displayName, lastSyncedAt } = enforcer.connector
    return { ...own, connectorId: id, connectorDisplayName: displayName, lastSyncedAt }
  }
  if (enforcer.by === 'webhook') return { ...own, webhookId: enforcer.webhookId }
  if (enforcer.by === 'people')
    return { ...own, asked: askedView(enforcer.asked, isWhole), why: isWhole ? enforcer.why : '' }
  if (enforcer.by !== 'another entitlement') return own
  const ref = { appId: enforcer.appId, id: enforcer.entitlementId }
  return { ...own, entitlement: isSeen(ref) ? ref : null }
}

export const entitlementOnWire = (
  { appId, id }: { appId: string; id: string },
  { grant, revoke }: Enforcement,
  showing: Showing,
) => ({
  appId,
  id,
  ...enforcerOnWire(grant, showing),
  revocation: revoke === grant ? null : enforcerOnWire(revoke, showing),
})
