import { describe, expect, test } from 'vitest'
import { type Tx, transact } from '#kernel/sql.ts'
import { operatorCause, sealAll } from '#rooms/foundation/systemlog/index.ts'
import type { Table } from '#rooms/foundation/writes/index.ts'
import { createCredential, deviceLifespanSeconds } from '#rooms/identity/credentials/index.ts'
import { insertIdentity } from '#rooms/identity/sessions/linked-identities/store.ts'
import { insertPasskey } from '#rooms/identity/sessions/passkeys/store.ts'
import { insertUsers } from '#rooms/identity/users/index.ts'
import { insertAccounts } from '#rooms/records/accounts/index.ts'
import { insertApps, insertEntitlements } from '#rooms/records/apps/index.ts'
import { insertGrants } from '#rooms/records/grants/index.ts'
import { routes } from '#server/registry/routes.ts'
import type { Json } from '../fixture/access.ts'
import { fewOrMany } from '../fixture/long.ts'
import { insert, update } from '../fixture/write.ts'
import { prepare, type Ref } from '../grants/scene.ts'
import { type Browser, signIn } from '../sessions/support.ts'

/**
 * Every list is paged to its end while rows are added and removed: nothing twice, nothing missed that was there all along,
 * nothing that was gone before the page was asked for. A list that is added later is walked too, or says here why not.
 */

const scene = prepare()
const db = () => scene.server.db
const tenantId = () => scene.access.tenant.id
const newId = () => scene.access.world.newId()

/** A list, and how its rows come and go. A row is told by its id: the one that stands somewhere in its item. */
type Walked = {
  path: string
  /** Sent with each page; a list that is asked for by GET has none. */
  body?: object
  /** Who asks; an administrator by an access token unless said. */
  browser?: Browser
  add(name: string): Promise<string>
  /** The first rows at once, where that takes much less than one by one. */
  fill?(names: readonly string[]): Promise<string[]>
  /** Absent where rows never go. */
  remove?(id: string): Promise<unknown>
}

async function connector(): Promise<Ref> {
  const appId = await scene.app()
  const { json } = await scene.post(`/api/v1/apps/${appId}/connectors`, { displayName: 'Walked' })
  return (json['connectorView'] as { connector: Ref }).connector
}

const connectorsOf = (appId: string): Pick<Walked, 'add' | 'remove'> => ({
  async add(displayName) {
    const { json } = await scene.post(`/api/v1/apps/${appId}/connectors`, { displayName })
    return (json['connectorView'] as { connector: { id: string } }).connector.id
  },
  remove: (id) => db()`update connectors set deleted_at = now() where connector_id = ${id}`,
})

/** Devices that a user has authorized, as redeeming a code leaves them. */
const devices = (userId: string): Pick<Walked, 'add' | 'remove'> => ({
  async add(name) {
    const { world, tenant } = scene.access
    const wanted = {
      userId,
      displayName: name,
      lifespanSeconds: deviceLifespanSeconds,
      allowSourceCidr: [],
      scopedRoles: [],
    }
    const { credential } = await transact(world.db, (tx) =>
      createCredential(tx, world, operatorCause(tenant, 'test'), { ...wanted, kind: 'device' }),
    )
    const requestId = newId()
    await db()`
      insert into device_requests (tenant_id, request_id, device_code_sha256, user_code_mac, client_id, source_address,
        user_agent, created_at, expires_at, state, user_id, credential_id, interval_seconds, forget_at, mac)
      values (${tenantId()}, ${requestId}, ${Buffer.from(requestId)}, ${Buffer.from(requestId)}, ${name}, '', '', now(),
        now(), 'redeemed', ${userId}, ${credential.id}, 5, now() + interval '1 day', '')`
    return credential.id
  },
  remove: (id) => db()`update credentials set deleted_at = now() where credential_id = ${id}`,
})

/** One per issuer, of which a user may have had many. */
const identities = (userId: string): Pick<Walked, 'add' | 'remove'> => ({
  async add(name) {
    const id = newId()
    const { world } = scene.access
    const identity = { id, userId, issuer: `https://${id}.example`, subject: name, email: '', linkedAt: new Date() }
    await transact(world.db, (tx) => insertIdentity(tx, world.seals, tenantId(), identity))
    return id
  },
  remove: (id) => db()`delete from oidc_identities where identity_id = ${id}`,
})

/** Made and deleted by the API. */
const made = (path: string, body: (name: string) => object, name: string): Pick<Walked, 'add' | 'remove'> => ({
  async add(called) {
    const { json } = await scene.post(path, body(called))
    return (json[name] as { id: string }).id
  },
  remove: (id) => scene.remove(`${path}/${id}`, {}),
})
const webhooks = () =>
  made('/api/v1/webhooks', (displayName) => ({ displayName, url: 'https://example.com' }), 'webhook')
const federationProviders = (): Pick<Walked, 'add' | 'remove'> =>
  made(
    '/api/v1/workload_federation/providers',
    (displayName) => ({ displayName, issuerUrl: 'https://issuer.example.com' }),
    'provider',
  )

/** Trusts of a new service principal, told by their client ids. */
async function federationTrusts(): Promise<
  Required<Pick<Walked, 'path' | 'add' | 'remove'>> & { principalId: string }
> {
  const providerId = await federationProviders().add('Walked')
  const { json } = await scene.post('/api/v1/service_principals', { displayName: 'Walked' })
  const principalId = (json['servicePrincipal'] as { id: string }).id
  const path = `/api/v1/service_principals/${principalId}/trusts`
  return {
    path,
    principalId,
    async add(displayName) {
      const body = { displayName, providerId, conditionExpression: 'claims.sub == "walked"' }
      return ((await scene.post(path, body)).json['trust'] as { clientId: string }).clientId
    },
    remove: (clientId) => scene.remove(`${path}/${encodeURIComponent(clientId)}`, {}),
  }
}
/** As they are kept; that one goes is its deletion. */
const tasks = (): Pick<Walked, 'add' | 'remove'> => ({
  async add(name) {
    const id = newId()
    await db()`
      insert into tasks (tenant_id, task_id, number, kind, origin, subject_user_id, account_id, resource_id, display_name,
        version, created_at, updated_at)
      select ${tenantId()}, ${id}, coalesce(max(number), 0) + 1, 'certify', 'TASK_ORIGIN_API', ${name}, ${name}, ${name},
        ${name}, 0, now(), now() from tasks`
    return id
  },
  remove: (id) => db()`update tasks set deleted_at = now() where task_id = ${id}`,
})
const tasksBy = (sortBy: string) => async (): Promise<Walked> => ({
  path: '/api/v1/search/tasks',
  body: { sortBy: `TASK_SEARCH_SORT_BY_${sortBy}` },
  ...tasks(),
})
/** What changed since a moment that stays the same from page to page. */
const lastDay = (): string => `from=${new Date(Date.now() - 86_400_000).toISOString()}`
const policies = (): Pick<Walked, 'add' | 'remove'> =>
  made(
    '/api/v1/policies',
    (displayName) => ({
      displayName,
      policyType: 'POLICY_TYPE_GRANT',
      policySteps: { grant: { steps: [{ accept: {} }] } },
    }),
    'policy',
  )

async function insertSubscription(name: string): Promise<string> {
  const id = newId()
  await db()`
    insert into subscriptions (tenant_id, subscription_id, display_name, url, event_kinds, state, state_changed_at, sealed_secret,
      responsible_id, created_by, created_at, updated_at, cursor_seal, cursor_position)
    values (${tenantId()}, ${id}, ${name}, 'https://x.example', '{nothing}', 'paused', now(), '', '', '', now(), now(), 0, 0)`
  return id
}

/** Entitlements that can be requested and name a policy that there is not. Regular work rests: it would list and unlist them at its own time. */
async function unanswerables(): Promise<Pick<Walked, 'add' | 'remove'>> {
  const app = await scene.app()
  const catalog = { displayName: 'Walked', published: true, visibleToEveryone: true }
  const { json } = await scene.post('/api/v1/catalogs', catalog)
  const profile = (json['requestCatalogView'] as { requestCatalog: { id: string } }).requestCatalog.id
  const problems = db().json([{ reason: 'UNANSWERABLE_REASON_POLICY_MISSING' }])
  await db()`
    insert into answerable_rounds (tenant_id, seal_number, started_at, finished_at)
    values (${tenantId()}, 0, now(), now() + interval '1 hour')
    on conflict (tenant_id) do update set started_at = now(), finished_at = now() + interval '1 hour'`
  return {
    async add(name) {
      const { id } = await scene.entitlement(app, name)
      await db()`update entitlements set grant_policy_id = '2zzzzzzzzzzzzzzzzzzzzzzzzzz' where entitlement_id = ${id}`
      await db()`
        insert into profile_entries (tenant_id, profile_id, app_id, entitlement_id, place, added_at)
        values (${tenantId()}, ${profile}, ${app}, ${id}, 1, now())`
      await db()`
        insert into unanswerable (tenant_id, app_id, entitlement_id, problems, checked_at)
        values (${tenantId()}, ${app}, ${id}, ${problems}, now()) on conflict do nothing`
      return id
    },
    async remove(id) {
      await db()`delete from profile_entries where entitlement_id = ${id}`
      await update(db(), 'entitlements', { deleted_at: new Date() }, db()`x.entitlement_id = ${id}`)
    },
  }
}

const catalog = async (): Promise<string> => {
  const body = { displayName: 'Walked', published: true, visibleToEveryone: true }
  const { json } = await scene.post('/api/v1/catalogs', body)
  return (json['requestCatalogView'] as { requestCatalog: { id: string } }).requestCatalog.id
}
/** Entitlements of an access profile: what it contains, or who sees it. */
async function entriesOf(path: string, field: string): Promise<Pick<Walked, 'add' | 'remove'>> {
  const app = await scene.app()
  const refs = (id: string) => ({ [field]: [{ appId: app, id }] })
  return {
    async add(name) {
      const { id } = await scene.entitlement(app, name)
      await scene.post(path, refs(id))
      return id
    },
    remove: (id) => scene.remove(path, refs(id)),
  }
}
const requestable = async (list: (id: string) => Pick<Walked, 'path' | 'body'>): Promise<Walked> => {
  const id = await catalog()
  return { ...list(id), ...(await entriesOf(`/api/v1/catalogs/${id}/requestable_entries`, 'appEntitlements')) }
}

const directories: Pick<Walked, 'add' | 'remove'> = {
  async add(displayName) {
    const { json } = await scene.post('/api/v1/scim-directories', { displayName })
    return (json['directory'] as { appId: string }).appId
  },
  remove: (id) => scene.remove(`/api/v1/scim-directories/${id}`, {}),
}

const walks: Record<string, () => Promise<Walked>> = {
  // First, while there is little else in them: other walks add to these lists too.
  'bailiwick.v1.Changes.List': async () => {
    const held = await scene.entitlement(await scene.app())
    return { path: `/api/v1/changes?${lastDay()}`, ...holders(held) }
  },
  'bailiwick.v1.Changes.List users': async () => ({
    path: `/api/v1/changes?${lastDay()}&subject=CHANGE_SUBJECT_USER`,
    add: (displayName) => scene.user({ displayName }),
  }),
  'systemlog.v1.SystemLogService.ListEvents': async () => ({
    path: '/api/v1/systemlog/events',
    body: {},
    add: addEvent,
  }),
  'systemlog.v1.ExportService.ListEvents': async () => ({
    path: `/api/v1/systemlog/exports/${await exporters.add('Walked')}/events`,
    body: {},
    add: addSealedEvent,
  }),
  'bailiwick.v1.SystemLog.Search': async () => ({
    path: '/api/v1/search/systemlog/events',
    body: { objectType: 'attribute_value', query: 'walk' },
    add: addEvent,
  }),
  'user.v1.UserService.List': async () => ({ path: '/api/v1/users', ...users }),
  'user.v1.UserSearch.Search': async () => ({ path: '/api/v1/search/users', body: {}, ...users }),
  'app.v1.Apps.List': async () => ({ path: '/api/v1/apps', ...apps }),
  'app.v1.AppSearch.Search': async () => ({ path: '/api/v1/search/apps', body: {}, ...apps }),
  // In any order.
  'settings.v1.Notifications.ListMessages': async () => ({
    path: '/api/v1/settings/notifications/messages?state=sent',
    async add() {
      const id = newId()
      await db()`
        insert into notification_messages (tenant_id, message_id, channel, user_id, form, state, created_at, due_at, ended_at)
        values (${tenantId()}, ${id}, 'email', '', 'single', 'sent', now(), now(), now())`
      return id
    },
    remove: (id) => db()`delete from notification_messages where message_id = ${id}`,
  }),
  'settings.v1.OrgDomainService.List': async () => ({
    path: '/api/v1/settings/domains',
    async add(name) {
      const id = newId()
      await db()`
        insert into organization_domains (tenant_id, domain_id, domain, created_at)
        values (${tenantId()}, ${id}, ${`${name.toLowerCase().replaceAll(/[^a-z0-9]/g, '-')}-${id.slice(-4).toLowerCase()}.test`}, now())`
      return id
    },
    remove: (id) => db()`delete from organization_domains where domain_id = ${id}`,
  }),
  'settings.v1.TenantEmailProviderService.SearchAuditEvents': async () => ({
    path: '/api/v1/settings/email-provider/audit-events',
    body: {},
    async add(name) {
      const id = newId()
      await db()`
        insert into mail_audit (tenant_id, audit_id, event)
        values (${tenantId()}, ${id}, jsonb_build_object('message', ${name}::text))`
      return id
    },
  }),
  'requestcatalog.v1.RequestCatalogManagementService.List': async () => ({
    path: '/api/v1/catalogs',
    add: catalog,
    remove: (id) => scene.remove(`/api/v1/catalogs/${id}`, {}),
  }),
  'requestcatalog.v1.RequestCatalogManagementService.ListEntitlementsPerCatalog': () =>
    requestable((id) => ({ path: `/api/v1/catalogs/${id}/requestable_entitlements` })),
  'requestcatalog.v1.RequestCatalogManagementService.ListEntitlementsForAccess': async () => {
    const id = await catalog()
    const path = `/api/v1/catalogs/${id}/visibility_entitlements`
    return { path, ...(await entriesOf(`/api/v1/catalogs/${id}/visibility_bindings`, 'accessEntitlements')) }
  },
  'requestcatalog.v1.RequestCatalogSearchService.SearchEntitlements': () =>
    requestable(() => ({ path: '/api/v1/search/request_catalog/entitlements', body: {} })),
  async 'bailiwick.v1.Drift.List'() {
    const held = await scene.entitlement(await scene.app())
    const { add, remove } = holders(held)
    return {
      path: '/api/v1/drift',
      async add(name) {
        const id = await add(name)
        await db()`
          insert into drift (tenant_id, app_id, entitlement_id, account_id, kind, found_at)
          values (${tenantId()}, ${held.appId}, ${held.id}, ${id}, 'unexplained', now())`
        return id
      },
      remove,
    }
  },
  'bailiwick.v1.Subscriptions.List': async () => ({
    path: '/api/v1/subscriptions',
    add: insertSubscription,
    remove: (id) => db()`delete from subscriptions where subscription_id = ${id}`,
  }),
  async 'bailiwick.v1.Subscriptions.ListDeliveries'() {
    const subscription = await insertSubscription('Walked')
    return {
      path: `/api/v1/subscriptions/${subscription}/deliveries`,
      async add() {
        const id = newId()
        await db()`
          insert into subscription_deliveries (tenant_id, subscription_id, delivery_id, message_id, kind, is_test, attempt,
            outcome, started_at, duration_ms, status, request)
          values (${tenantId()}, ${subscription}, ${id}, 'x', 'x', false, 1, 'delivered', now(), 1, 204, '{}')`
        return id
      },
      remove: (id) => db()`delete from subscription_deliveries where delivery_id = ${id}`,
    }
  },
  async 'bailiwick.v1.AccessHistory.List'() {
    const userId = await scene.user()
    const appId = await scene.app()
    const account = await scene.account(appId, { userId })
    return {
      path: `/api/v1/users/${userId}/access_history`,
      async add(name) {
        const entitlement = await scene.entitlement(appId, name)
        await scene.grant(entitlement, account)
        return entitlement.id
      },
      // What was held stays in the history: a row that was never held is none.
      remove: (id) =>
        update(db(), 'grants', { ended_at: db()`x.began_at`, ended_why: 'revoked' }, db()`x.entitlement_id = ${id}`),
    }
  },
  async 'bailiwick.v1.AccessRemovals.List'() {
    const userId = await scene.user()
    return {
      path: `/api/v1/users/${userId}/access_removals`,
      async add(name) {
        const id = newId()
        await db()`
          insert into access_removals (tenant_id, removal_id, user_id, fingerprint, reason, asked_by, created_at, grant_count)
          values (${tenantId()}, ${id}, ${userId}, ${id}, ${name}, '', now(), 0)`
        return id
      },
      remove: (id) => db()`delete from access_removals where removal_id = ${id}`,
    }
  },
  'bailiwick.v1.DriftRuns.List': async () => ({
    path: '/api/v1/drift/runs',
    async add() {
      const id = newId()
      await db()`
        insert into drift_runs (tenant_id, run_id, remedy, state, asked_by, created_at)
        values (${tenantId()}, ${id}, 'keep', 'done', '', now())`
      return id
    },
    remove: (id) => db()`delete from drift_runs where run_id = ${id}`,
  }),
  async 'bailiwick.v1.DriftRuns.ListItems'() {
    const run = newId()
    await db()`
      insert into drift_runs (tenant_id, run_id, remedy, state, asked_by, created_at)
      values (${tenantId()}, ${run}, 'keep', 'done', '', now())`
    return {
      path: `/api/v1/drift/runs/${run}/items`,
      async add() {
        const id = newId()
        await db()`
          insert into drift_run_items (tenant_id, run_id, app_id, entitlement_id, account_id, state)
          values (${tenantId()}, ${run}, ${newId()}, ${newId()}, ${id}, 'done')`
        return id
      },
      remove: (id) => db()`delete from drift_run_items where account_id = ${id}`,
    }
  },
  'bailiwick.v1.Unanswerable.List': async () => ({ path: '/api/v1/requests/unanswerable', ...(await unanswerables()) }),
  'task.v1.TaskSearchService.Search': tasksBy('UNSPECIFIED'),
  'task.v1.TaskSearchService.Search the oldest first': tasksBy('TICKET_ID'),
  'task.v1.TaskSearchService.Search by account': tasksBy('ACCOUNT'),
  'task.v1.TaskSearchService.Search by resource': tasksBy('RESOURCE'),
  'task.v1.TaskSearchService.Search by subject': tasksBy('ACCOUNT_OWNER'),
  'task.v1.TaskSearchService.Search by entitlement': tasksBy('APP_RESOURCE_ID_AND_APP_ENTITLEMENT'),
  'task.v1.TaskAudit.List': async () => {
    const taskId = await tasks().add('Walked')
    let number = 0
    return {
      path: '/api/v1/task/audits',
      body: { taskId },
      async add(name) {
        const id = newId()
        await db()`
          insert into task_events (tenant_id, task_id, number, event_id, kind, by_user_id, happened_at, data)
          values (${tenantId()}, ${taskId}, ${++number}, ${id}, 'commented', '', now(), ${db().json({ comment: name })})`
        return id
      },
    }
  },
  'policy.v1.Policies.List': async () => ({ path: '/api/v1/policies', ...policies() }),
  'policy.v1.PolicySearch.Search': async () => ({ path: '/api/v1/search/policies', body: {}, ...policies() }),
  'bailiwick.v1.RequestSchemaSearch.Search': async () => ({
    path: '/api/v1/search/request_schemas',
    body: {},
    ...made('/api/v1/request_schemas', (name) => ({ name }), 'requestSchema'),
  }),
  'iam.v1.PersonalClientService.List': async () => ({ path: '/api/v1/iam/personal_clients', ...credentials() }),
  'iam.v1.PersonalClientSearchService.Search': async () => ({
    path: '/api/v1/search/iam/personal_clients',
    body: {},
    ...credentials(),
  }),
  'lists.v1.SavedViewService.List': async () => ({
    path: '/api/v1/lists/views?page=/walked',
    async add(name) {
      const { json } = await scene.post('/api/v1/lists/views', { page: '/walked', name, query: 'q=x' })
      return (json['view'] as Ref).id
    },
    remove: (id) => scene.remove(`/api/v1/lists/views/${id}`, {}),
  }),
  'webhooks.v1.WebhooksService.List': async () => ({ path: '/api/v1/webhooks', ...webhooks() }),
  'webhooks.v1.WebhooksSearch.Search': async () => ({ path: '/api/v1/search/webhooks', body: {}, ...webhooks() }),
  async 'bailiwick.v1.WebhookDeliveries.List'() {
    const id = await webhooks().add('Walked')
    return {
      path: `/api/v1/webhooks/${id}/deliveries`,
      async add() {
        const deliveryId = newId()
        await db()`
          insert into webhook_deliveries (tenant_id, delivery_id, webhook_id, state, source, payload, destination, host, origin,
            callback_hash, created_at, updated_at, completed_at, expires_at)
          values (${tenantId()}, ${deliveryId}, ${id}, 'success', 'test', '{}', '', '', '', ${Buffer.from(deliveryId)}, now(),
            now(), now(), now())`
        return deliveryId
      },
      remove: (deliveryId) => db()`delete from webhook_deliveries where delivery_id = ${deliveryId}`,
    }
  },
  'service_principal.v1.ServicePrincipalService.List': async () => ({
    path: '/api/v1/service_principals',
    ...made('/api/v1/service_principals', (displayName) => ({ displayName }), 'servicePrincipal'),
  }),
  async 'service_principal.v1.ServicePrincipalService.ListCredentials'() {
    const { json } = await scene.post('/api/v1/service_principals', { displayName: 'Walked' })
    const path = `/api/v1/service_principals/${(json['servicePrincipal'] as { id: string }).id}/credentials`
    return { path, ...made(path, (displayName) => ({ displayName }), 'credential') }
  },
  'workload_federation.v1.WorkloadFederationService.ListProviders': async () => ({
    path: '/api/v1/workload_federation/providers',
    ...federationProviders(),
  }),
  async 'workload_federation.v1.WorkloadFederationService.ListTrusts'() {
    const { path, add, remove } = await federationTrusts()
    return { path, add, remove }
  },
  async 'workload_federation.v1.WorkloadFederationService.SearchTrusts'() {
    const { add, remove, principalId } = await federationTrusts()
    const body = { servicePrincipalId: principalId }
    return { path: '/api/v1/search/workload_federation_trusts', body, add, remove }
  },
  async 'bailiwick.v1.FederationAttempts.List'() {
    const { path, add } = await federationTrusts()
    const clientId = await add('Walked')
    const of = db()`select credential_id from credentials where client_id = ${clientId}`
    return {
      path: `${path}/${encodeURIComponent(clientId)}/attempts`,
      async add(name) {
        const id = newId()
        await db()`
          insert into federation_attempts (tenant_id, credential_id, attempt_id, fingerprint, is_admitted, step, reason,
            detail, omitted, source_address, times, first_at, last_at)
          values (${tenantId()}, (${of}), ${id}, ${Buffer.from(id)}, true, '', '', ${name}, '{}', '', 1, now(), now())`
        return id
      },
      remove: (id) => db()`delete from federation_attempts where attempt_id = ${id}`,
    }
  },
  'iam.v1.Roles.List': async () => ({
    path: '/api/v1/iam/roles',
    async add(name) {
      const id = newId()
      await db()`
        insert into roles (tenant_id, role_id, name, display_name, created_at, updated_at)
        values (${tenantId()}, ${id}, ${id}, ${name}, now(), now())`
      return id
    },
    remove: (id) => db()`delete from roles where role_id = ${id}`,
  }),
  'systemlog.v1.ExportService.List': async () => ({ path: '/api/v1/systemlog/exports', ...exporters }),
  'systemlog.v1.ExportsSearchService.Search': async () => ({
    path: '/api/v1/search/systemlog/exports',
    body: {},
    ...exporters,
  }),
  async 'bailiwick.v1.Exports.ListFiles'() {
    const exportId = await exporters.add('Walked')
    let link = 1_000
    return {
      path: `/api/v1/systemlog/exports/${exportId}/files`,
      async add(name) {
        const id = newId()
        link--
        await db()`
          insert into systemlog_export_files (tenant_id, export_id, first_seal, first_position, last_seal, last_position,
            datasource_id, format, name, event_count, last_event_id, least_event_id, greatest_event_id, content_bytes,
            created_at, done_at)
          values (${tenantId()}, ${exportId}, ${link}, 1, ${link}, 1, 'walked', 'gzip', ${name}, 1, ${id}, ${id}, ${id}, 1,
            now(), now())`
        return id
      },
      remove: (id) => db()`delete from systemlog_export_files where last_event_id = ${id}`,
    }
  },
  'attribute.v1.Attributes.ListAttributeValues': async () => ({
    path: `/api/v1/attributes/types/${await attributeType('risk_levels')}/values`,
    ...(await values('risk_levels')),
  }),
  'attribute.v1.Attributes.ListRiskLevels': async () => ({
    path: '/api/v1/attributes/risk_levels',
    ...(await values('risk_levels')),
  }),
  'attribute.v1.Attributes.ListComplianceFrameworks': async () => ({
    path: '/api/v1/attributes/compliance_frameworks',
    ...(await values('compliance_frameworks')),
  }),
  'attribute.v1.AttributeSearch.SearchAttributeValues': async () => ({
    path: '/api/v1/search/attributes',
    body: {},
    ...(await values('risk_levels')),
  }),
  'app.v1.AppSearch.Search by query': async () => ({ path: '/api/v1/search/apps', body: { query: 'walk' }, ...apps }),
  'app.v1.AppResourceTypeService.List': async () => {
    const app = await scene.app()
    return { path: `/api/v1/apps/${app}/resource_types`, ...types(app) }
  },
  'app.v1.AppResourceSearch.SearchAppResourceTypes': async () => {
    const app = await scene.app()
    return { path: '/api/v1/search/app_resource_types', body: { appIds: [app] }, ...types(app) }
  },
  'app.v1.AppResourceSearch.SearchAppResourceTypes by query': async () => ({
    path: '/api/v1/search/app_resource_types',
    body: { query: 'walk' },
    ...types(await scene.app()),
  }),
  'app.v1.AppResourceService.List': async () => {
    const { app, type } = await appWithType()
    return { path: `/api/v1/apps/${app}/resource_types/${type}/resources`, ...resources(app, type) }
  },
  'app.v1.AppResourceSearch.SearchAppResources': async () => {
    const { app, type } = await appWithType()
    return { path: '/api/v1/search/app_resources', body: { appIds: [app] }, ...resources(app, type) }
  },
  'app.v1.AppResourceSearch.SearchAppResources by query': async () => {
    const { app, type } = await appWithType()
    return { path: '/api/v1/search/app_resources', body: { query: 'walk' }, ...resources(app, type) }
  },
  'app.v1.AppEntitlements.List': async () => {
    const app = await scene.app()
    return { path: `/api/v1/apps/${app}/entitlements`, ...entitlements(app) }
  },
  'app.v1.AppEntitlements.ListForAppResource': async () => {
    const app = await scene.app()
    const of = await scene.resource(app)
    const path = `/api/v1/apps/${app}/entitlements/resource_types/${of.typeId}/resources/${of.id}`
    return { path, ...entitlements(app, of) }
  },
  'app.v1.AppEntitlementSearchService.Search': async () => {
    const app = await scene.app()
    return { path: '/api/v1/search/entitlements', body: { appIds: [app] }, ...entitlements(app) }
  },
  'app.v1.AppEntitlementSearchService.Search by query': async () => ({
    path: '/api/v1/search/entitlements',
    body: { query: 'walk' },
    ...entitlements(await scene.app()),
  }),
  'app.v1.AppEntitlementSearchService.Search by query, deleted ones too': async () => {
    const { add } = entitlements(await scene.app())
    return { path: '/api/v1/search/entitlements', body: { query: 'walk', includeDeleted: true }, add }
  },
  'user.v1.UserSearch.Search by query': async () => ({
    path: '/api/v1/search/users',
    body: { query: 'walk' },
    ...users,
  }),
  'user.v1.UserSearch.Search by query and status': async () => ({
    path: '/api/v1/search/users',
    body: { query: 'walk', userStatuses: ['ENABLED'] },
    ...users,
  }),
  'app.v1.AppUserService.List': async () => {
    const app = await scene.app()
    return { path: `/api/v1/apps/${app}/app_users`, ...accounts(app) }
  },
  'app.v1.AppUserService.ListAppUsersForUser': async () => {
    const [app, user] = [await scene.app(), await scene.user()]
    return { path: `/api/v1/apps/${app}/users/${user}/app_users`, ...accounts(app, user) }
  },
  'app.v1.AppUserService.Search': async () => {
    const app = await scene.app()
    return { path: '/api/v1/search/app_users', body: { appId: app, appIds: [app] }, ...accounts(app) }
  },
  'app.v1.AppUserService.Search by query': async () => ({
    path: '/api/v1/search/app_users',
    body: { query: 'walk' },
    ...accounts(await scene.app()),
  }),
  'app.v1.AppEntitlements.ListUsers': async () => {
    const held = await scene.entitlement(await scene.app())
    return { path: `/api/v1/apps/${held.appId}/entitlements/${held.id}/users`, ...holders(held) }
  },
  'app.v1.AppEntitlementSearchService.SearchAppEntitlementsWithExpired': async () => {
    const held = await scene.entitlement(await scene.app())
    // Those who held it and no longer do are listed too.
    return { path: `/api/v1/apps/${held.appId}/entitlements/${held.id}/grants`, add: holders(held).add }
  },
  'app.v1.AppEntitlements.ListForAppUser': async () => {
    const by = await scene.account(await scene.app(), { userId: await scene.user() })
    return { path: `/api/v1/apps/${by.appId}/entitlements/users/${by.id}`, ...holdings(by) }
  },
  'app.v1.AppEntitlementSearchService.SearchAppEntitlementsForAppUser': async () => {
    const by = await scene.account(await scene.app(), { userId: await scene.user() })
    return { path: `/api/v1/search/apps/${by.appId}/entitlements/users/${by.id}`, ...holdings(by) }
  },
  'app.v1.AppEntitlementSearchService.SearchGrants': async () => {
    const held = await scene.entitlement(await scene.app())
    return { path: '/api/v1/search/grants', body: { appIds: [held.appId] }, ...holders(held) }
  },
  'app.v1.AppEntitlementSearchService.SearchGrants of a user': async () => {
    const userId = await scene.user()
    const by = await scene.account(await scene.app(), { userId })
    return { path: '/api/v1/search/grants', body: { userId }, ...holdings(by) }
  },
  'bailiwick.v1.Grants.List': async () => {
    const held = await scene.entitlement(await scene.app())
    return { path: `/api/v1/grants?app_id=${held.appId}`, ...holders(held) }
  },
  'bailiwick.v1.Grants.List of those that end': async () => {
    const held = await scene.entitlement(await scene.app())
    const expiresAt = new Date(Date.now() + 86_400_000)
    return { path: `/api/v1/grants?app_id=${held.appId}&ends_within_days=2`, ...holders(held, { expiresAt }) }
  },
  'bailiwick.v1.Grants.List of leavers': async () => {
    const held = await scene.entitlement(await scene.app())
    return {
      path: `/api/v1/grants?app_id=${held.appId}&is_of_leavers=true`,
      async add() {
        const userId = await scene.user()
        await update(db(), 'users', { status: 'DISABLED' }, db()`x.user_id = ${userId}`)
        const by = await scene.account(held.appId, { userId })
        await scene.grant(held, by)
        return by.id
      },
      remove: holders(held).remove,
    }
  },
  'bailiwick.v1.Grants.List by name of the user': async () => {
    const held = await scene.entitlement(await scene.app())
    return { path: `/api/v1/grants?app_id=${held.appId}&order_by=user`, ...holders(held) }
  },
  'bailiwick.v1.Grants.List by expiry': async () => {
    const held = await scene.entitlement(await scene.app())
    return { path: `/api/v1/grants?app_id=${held.appId}&order_by=expires%20desc`, ...holders(held) }
  },
  'bailiwick.v1.BulkActions.List': async () => ({
    path: '/api/v1/bulk/actions',
    async add() {
      const id = scene.access.world.newId()
      await db()`
        insert into bulk_actions (tenant_id, bulk_action_id, kind, title, reason, asked_by, created_at, changed_count, items)
        values (${tenantId()}, ${id}, 'risk', 'A change', '', '', now(), 0, '[]')`
      return id
    },
    remove: (id) => db()`delete from bulk_actions where bulk_action_id = ${id}`,
  }),
  'bailiwick.v1.Rules.List': async () => {
    const appId = await scene.app()
    return {
      path: `/api/v1/rules?app_id=${appId}`,
      async add() {
        const { id } = await scene.entitlement(appId)
        await db()`
          insert into automations (tenant_id, app_id, entitlement_id, version, kind, expression, created_at, updated_at)
          values (${tenantId()}, ${appId}, ${id}, 1, 'cel', 'true', now(), now())`
        return id
      },
      remove: (id) => db()`update automations set deleted_at = now() where entitlement_id = ${id}`,
    }
  },
  'app.v1.AppEntitlementUserBindingService.SearchGrantFeed': async () => {
    const held = await scene.entitlement(await scene.app())
    return { path: '/api/v1/grants/feed', body: { appRefs: [{ id: held.appId }] }, add: holders(held).add }
  },
  'bailiwick.v1.Changes.ListOfApp': async () => {
    const held = await scene.entitlement(await scene.app())
    return { path: `/api/v1/apps/${held.appId}/changes?${lastDay()}`, ...holders(held) }
  },
  'bailiwick.v1.Changes.ListOfEntitlement': async () => {
    const held = await scene.entitlement(await scene.app())
    return { path: `/api/v1/apps/${held.appId}/entitlements/${held.id}/changes?${lastDay()}`, ...holders(held) }
  },
  'bailiwick.v1.Changes.ListOfUser': async () => {
    const userId = await scene.user()
    const by = await scene.account(await scene.app(), { userId })
    return { path: `/api/v1/users/${userId}/changes?${lastDay()}`, ...holdings(by) }
  },
  'bailiwick.v1.HeatMap.ListMembers': async () => {
    const held = await scene.entitlement(await scene.app())
    const path = `/api/v1/apps/${held.appId}/entitlements/${held.id}/heat-map/members?value=Walked`
    const { remove } = holders(held)
    const add = async (displayName: string): Promise<string> => {
      const account = await scene.account(held.appId, {
        userId: await scene.user({ displayName, department: 'Walked' }),
      })
      await scene.grant(held, account)
      return account.id
    }
    return { path, add, remove }
  },
  'app.v1.AppEntitlementUserBindingService.SearchPastGrants': async () => {
    const held = await scene.entitlement(await scene.app())
    const { add, remove } = holders(held)
    const path = '/api/v1/search/past-grants'
    const addPast = async (name: string): Promise<string> => {
      const id = await add(name)
      await remove(id)
      return id
    }
    return { path, body: { appIds: [held.appId] }, add: addPast }
  },
  'app.v1.AppEntitlementSearchService.SearchReachableResourcesForUser': async () => {
    const userId = await scene.user()
    const by = await scene.account(await scene.app(), { userId })
    return { path: '/api/v1/search/graph/resources', body: { userId }, ...reached(by) }
  },
  'import.v1.ImportService.List': async () => ({
    path: '/api/v1/imports',
    async add() {
      const id = newId()
      await db()`
        insert into imports (tenant_id, import_id, format, is_full, is_forced, line_count, byte_count, counts, started_at,
          finished_at)
        values (${tenantId()}, ${id}, 'jsonl', false, false, 1, 1, '[]', now(), now())`
      return id
    },
  }),
  'app.v1.ConnectorService.List': async () => {
    const appId = await scene.app()
    return { path: `/api/v1/apps/${appId}/connectors`, ...connectorsOf(appId) }
  },
  'connector.v1.ConnectorOverviewService.List': async () => ({
    path: '/api/v1/connector_overview',
    ...connectorsOf(await scene.app()),
  }),
  'connector.v1.ConnectorOverviewService.ListOfApp': async () => {
    const appId = await scene.app()
    return { path: `/api/v1/apps/${appId}/connector_overview`, ...connectorsOf(appId) }
  },
  'connector.v1.OwnedConnectorService.List': async () => ({
    path: '/api/v1/connectors/owned',
    async add() {
      const { appId, id } = await connector()
      await done(scene.post(`/api/v2/apps/${appId}/connectors/${id}/owners/users/primary/${scene.admin.userId}`, {}))
      return id
    },
    remove: (id) => db()`update owners set ended_at = now(), ended_why = 'removed' where object_id = ${id}`,
  }),
  'connector.v1.ConnectorSyncService.List': async () => {
    const { appId, id: connectorId } = await connector()
    return {
      path: `/api/v1/apps/${appId}/connectors/${connectorId}/syncs`,
      async add() {
        const id = newId()
        await db()`
          insert into connector_tasks (tenant_id, connector_id, task_id, kind, state, created_at)
          values (${tenantId()}, ${connectorId}, ${id}, 'sync', 'failed', now())`
        return id
      },
    }
  },
  'bailiwick.v1.ProvisioningTasks.List': async () => {
    const appId = await scene.app()
    const { json } = await scene.post(`/api/v1/apps/${appId}/connectors`, { displayName: 'Walked' })
    const connectorId = (json['connectorView'] as { connector: { id: string } }).connector.id
    return {
      path: `/api/v1/apps/${appId}/provisioning_tasks`,
      async add() {
        const id = newId()
        await db()`
          insert into connector_tasks (tenant_id, connector_id, task_id, kind, state, app_id, account_id, created_at)
          values (${tenantId()}, ${connectorId}, ${id}, 'grant', 'queued', ${appId}, ${id}, now())`
        return id
      },
      remove: (id) => db()`delete from connector_tasks where task_id = ${id}`,
    }
  },
  'directory.v1.ScimDirectories.List': async () => ({ path: '/api/v1/scim-directories', ...directories }),
  'directory.v1.DirectoryService.List': async () => ({ path: '/api/v1/directories', ...directories }),
  'directory.v1.Directories.ListStates': async () => ({ path: '/api/v1/directory-states', ...directories }),
  'directory.v1.Directories.ListConflicts': async () => {
    const appId = await directories.add('Walked')
    return {
      path: `/api/v1/directories/${appId}/conflicts`,
      async add() {
        const { id } = await scene.account(appId)
        await db()`
          insert into directory_conflicts (tenant_id, app_id, account_id, reason, since)
          values (${tenantId()}, ${appId}, ${id}, 'NO_KEY', now())`
        return id
      },
      remove: (id) => db()`delete from directory_conflicts where account_id = ${id}`,
    }
  },
  'directory.v1.DirectoryPlans.ListItems': async () => {
    const appId = await scene.app()
    const { json } = await scene.post('/api/v1/directory-plans', { appId })
    const planId = json['planId'] as string
    let place = 0
    return {
      path: `/api/v1/directory-plans/${planId}/items`,
      async add() {
        const id = newId()
        place += 1
        const item = {
          accountId: id,
          displayName: '',
          outcome: 'change',
          userId: '',
          by: '',
          fields: [],
          isDisabled: false,
          isEnabled: false,
          reason: '',
          userIds: [],
        }
        await db()`
          insert into directory_plan_items (tenant_id, plan_id, place, item)
          values (${tenantId()}, ${planId}, ${place}, ${db().json(item)})`
        return id
      },
      remove: (id) => db()`delete from directory_plan_items where item ->> 'accountId' = ${id}`,
    }
  },
  'directory.v1.ScimTokens.List': async () => {
    const appId = await directories.add('Walked')
    return {
      path: `/api/v1/scim-directories/${appId}/tokens`,
      async add() {
        const id = newId()
        await db()`
          insert into directory_tokens (tenant_id, token_id, app_id, secret_sha256, created_at, mac)
          values (${tenantId()}, ${id}, ${appId}, '', now(), '')`
        return id
      },
      remove: (id) => db()`update directory_tokens set revoked_at = now() where token_id = ${id}`,
    }
  },
  'directory.v1.ScimHeld.List': async () => {
    const appId = await directories.add('Walked')
    return {
      path: `/api/v1/scim-directories/${appId}/held`,
      async add() {
        const [userId, { id }] = [await scene.user(), await scene.account(appId)]
        await db()`
          insert into directory_users (tenant_id, app_id, account_id, user_id, user_name, is_active, resource, version, is_source,
            is_held, created_at, updated_at)
          values (${tenantId()}, ${appId}, ${id}, ${userId}, ${id}, false, '{}', 1, true, true, now(), now())`
        return id
      },
      remove: (id) => db()`update directory_users set is_held = false where account_id = ${id}`,
    }
  },
  'job.v1.JobService.List': async () => ({ path: '/api/v1/jobs', ...stuckJobs }),
  'job.v1.JobService.List by kind and state': async () => ({
    path: '/api/v1/jobs?kind=walked&state=JOB_STATE_STUCK',
    ...stuckJobs,
  }),
  ...ownerWalks(),
  'app.v1.AppSearch.SearchUserOwnership': async () => {
    const userId = await scene.user()
    const owner = (app: string): string => `/api/v2/apps/${app}/owners/users/primary/${userId}`
    return {
      path: '/api/v1/search/user-ownership',
      body: { userId },
      async add(name) {
        const app = await scene.app(name)
        await done(scene.post(owner(app), {}))
        return app
      },
      remove: (app) => done(scene.remove(owner(app), {})),
    }
  },
  'app.v1.AppUserService.ListOwnedServiceAccounts': async () => {
    const app = await scene.app()
    const owner = (id: string): string => `/api/v2/apps/${app}/users/${id}/owners/users/primary/${scene.admin.userId}`
    return {
      path: '/api/v1/app_users/owned_service_accounts',
      body: {},
      async add(displayName) {
        const { id } = await scene.account(app, { displayName, type: 'APP_USER_TYPE_SERVICE_ACCOUNT' })
        await done(scene.post(owner(id), {}))
        return id
      },
      remove: (id) => done(scene.remove(owner(id), {})),
    }
  },
  'app.v1.AppEntitlements.ListAutomationExclusions': async () => {
    const path = `${await newRulePath()}/exclusions`
    return {
      path,
      async add() {
        const id = await scene.user()
        await done(scene.post(path, { userIds: [id] }))
        return id
      },
      remove: (id) => done(scene.remove(path, { userIds: [id] })),
    }
  },
  'app.v1.AppEntitlements.PlanAutomation': async () => {
    const department = `Walkers ${newId()}`
    return {
      path: `${await newRulePath()}/plan`,
      body: { automation: { cel: { expression: `subject.department == "${department}"` } } },
      add: (displayName) => scene.user({ displayName, department }),
      remove: (id) => db()`update users set department = 'Elsewhere' where user_id = ${id}`,
    }
  },
  'app.v1.AppEntitlements.ListAutomationVersions': async () => {
    const path = await newRulePath()
    await done(scene.post(`${path}/create`, { automation: { none: {} } }))
    return {
      path: `${path}/versions`,
      async add(displayName) {
        const reason = newId()
        await done(scene.post(`${path}/update`, { displayName, reason }))
        return reason
      },
    }
  },
  'app.v1.AppEntitlements.CompareAutomationVersions': async () => {
    const department = `Compared ${newId()}`
    const path = await newRulePath()
    await done(
      scene.post(`${path}/create`, { automation: { cel: { expression: `subject.department == "${department}"` } } }),
    )
    await done(scene.post(`${path}/update`, { none: {} }))
    return {
      path: `${path}/versions/1/compare`,
      body: { toVersion: 2 },
      add: (displayName) => scene.user({ displayName, department }),
      remove: (id) => db()`update users set department = 'Elsewhere' where user_id = ${id}`,
    }
  },
  'app.v1.AppEntitlements.ListAutomationRunChanges': async () => {
    const { appId, id: entitlementId } = await scene.entitlement(await scene.app())
    const path = `/api/v1/apps/${appId}/entitlements/${entitlementId}/automation`
    await done(scene.post(`${path}/create`, { automation: { none: {} } }))
    const runId = newId()
    await db()`
      insert into automation_runs (tenant_id, run_id, app_id, entitlement_id, version, cause, phase, status, started_at,
        stepped_at, finished_at)
      values (${tenantId()}, ${runId}, ${appId}, ${entitlementId}, 1, 'hand', 'over', 'done', now(), now(), now())`
    return {
      path: `${path}/runs/${runId}/changes`,
      async add(displayName) {
        const userId = await scene.user({ displayName })
        const account = await scene.account(appId, { userId })
        await scene.grant({ appId, id: entitlementId }, account, { source: 'rule', grantedBy: runId })
        return userId
      },
    }
  },
  'app.v1.AppEntitlements.ListAutomationRuns': async () => {
    const { appId, id: entitlementId } = await scene.entitlement(await scene.app())
    const path = `/api/v1/apps/${appId}/entitlements/${entitlementId}/automation`
    await done(scene.post(`${path}/create`, { automation: { none: {} } }))
    return {
      path: `${path}/runs`,
      async add() {
        const id = newId()
        await db()`
          insert into automation_runs (tenant_id, run_id, app_id, entitlement_id, version, cause, phase, status, started_at,
            stepped_at, finished_at)
          values (${tenantId()}, ${id}, ${appId}, ${entitlementId}, 1, 'hand', 'over', 'done', now(), now(), now())`
        return id
      },
    }
  },
  'auth.v1.Session.List': async () => {
    const userId = await scene.user()
    const browser = await signIn(scene.server, scene.access, userId)
    return {
      path: '/api/v1/auth/sessions',
      browser,
      async add() {
        await signIn(scene.server, scene.access, userId)
        const [row] = await db()<{ id: string }[]>`
          select session_id as id from sessions where user_id = ${userId} order by session_id desc limit 1`
        return row?.id as string
      },
      remove: (id) => db()`delete from sessions where session_id = ${id}`,
    }
  },
  'auth.v1.Invitation.List': async () => ({
    path: '/api/v1/auth/invitations',
    async add() {
      const userIds = [await scene.access.makeUser()]
      const { json } = await scene.post('/api/v1/auth/invitations', { userIds })
      return (json['list'] as [{ id: string }])[0].id
    },
    remove: (id) => db()`delete from invitations where invitation_id = ${id}`,
  }),
  'auth.v1.UserSession.List': async () => {
    const userId = await scene.user()
    return {
      path: `/api/v1/auth/users/${userId}/sessions`,
      async add() {
        await signIn(scene.server, scene.access, userId)
        const [row] = await db()<{ id: string }[]>`
          select session_id as id from sessions where user_id = ${userId} order by session_id desc limit 1`
        return row?.id as string
      },
      remove: (id) => db()`delete from sessions where session_id = ${id}`,
    }
  },
  'auth.v1.Device.List': async () => {
    const userId = await scene.access.makeUser({ roles: ['system:user'] })
    const browser = await signIn(scene.server, scene.access, userId)
    return { path: '/api/v1/auth/devices', browser, ...devices(userId) }
  },
  'auth.v1.UserDevice.List': async () => {
    const userId = await scene.user()
    return { path: `/api/v1/auth/users/${userId}/devices`, ...devices(userId) }
  },
  'auth.v1.Identity.List': async () => {
    const userId = await scene.user()
    return {
      path: '/api/v1/auth/identities',
      browser: await signIn(scene.server, scene.access, userId),
      ...identities(userId),
    }
  },
  'auth.v1.UserIdentity.List': async () => {
    const userId = await scene.user()
    return { path: `/api/v1/auth/users/${userId}/identities`, ...identities(userId) }
  },
  'auth.v1.Passkey.List': async () => {
    const userId = await scene.user()
    return {
      path: '/api/v1/auth/passkeys',
      browser: await signIn(scene.server, scene.access, userId),
      async add(displayName) {
        const id = newId()
        const passkey = { id, userId, displayName, credentialId: id, publicKey: Buffer.alloc(0), signCount: 0 }
        const rest = { transports: [], isBackedUp: false, createdAt: new Date(), lastUsedAt: null }
        const { world } = scene.access
        await transact(world.db, (tx) => insertPasskey(tx, world.seals, tenantId(), { ...passkey, ...rest }))
        return id
      },
      remove: (id) => db()`delete from passkeys where passkey_id = ${id}`,
    }
  },
}

/** For what is added or removed through the API. */
async function done(asked: Promise<{ status: number; text: string }>): Promise<void> {
  const { status, text } = await asked
  expect(status, text).toBe(200)
}

const newRulePath = async (): Promise<string> => {
  const { appId, id } = await scene.entitlement(await scene.app())
  return `/api/v1/apps/${appId}/entitlements/${id}/automation`
}

/** The lists of owners, of all kinds of things: as the newer operations tell them, and as the older ones do. */
function ownerWalks(): Record<string, () => Promise<Walked>> {
  type Owned = { path: string; olderPath?: string }
  const owned: Record<string, () => Promise<Owned>> = {
    'app.v2.AppOwners': async () => {
      const app = await scene.app()
      return { path: `/api/v2/apps/${app}`, olderPath: `/api/v1/apps/${app}` }
    },
    'app.v2.AppEntitlementOwners': async () => {
      const { appId, id } = await scene.entitlement(await scene.app())
      const path = `apps/${appId}/entitlements/${id}`
      return { path: `/api/v2/${path}`, olderPath: `/api/v1/${path}` }
    },
    'app.v2.AppResourceOwnersV2': async () => {
      const app = await scene.app()
      const { typeId, id } = await scene.resource(app)
      const path = `apps/${app}/resource_types/${typeId}`
      return { path: `/api/v2/${path}/resources/${id}`, olderPath: `/api/v1/${path}/resource/${id}` }
    },
    'app.v2.AppUserOwnersV2': async () => {
      const { appId, id } = await scene.account(await scene.app())
      return { path: `/api/v2/apps/${appId}/users/${id}` }
    },
    'app.v2.ConnectorOwners': async () => {
      const { appId, id } = await connector()
      return { path: `/api/v2/apps/${appId}/connectors/${id}` }
    },
    'user.v2.UserOwnersV2': async () => ({ path: `/api/v2/users/${await scene.user()}` }),
  }
  const users = (path: string) => ({
    async add(displayName: string): Promise<string> {
      const id = await scene.user({ displayName })
      await done(scene.post(`${path}/owners/users/primary/${id}`, {}))
      return id
    },
    remove: (id: string) => done(scene.remove(`${path}/owners/users/primary/${id}`, {})),
  })
  const entitlements = (path: string, appId: string) => ({
    async add(name: string): Promise<string> {
      const { id } = await scene.entitlement(appId, name)
      await done(scene.post(`${path}/owners/entitlements/primary/${appId}/${id}`, {}))
      return id
    },
    remove: (id: string) => done(scene.remove(`${path}/owners/entitlements/primary/${appId}/${id}`, {})),
  })
  const found: Record<string, () => Promise<Walked>> = {}
  for (const [service, make] of Object.entries(owned)) {
    found[`${service}.SearchUserOwners`] = async () => {
      const { path } = await make()
      return { path: `${path}/owners/users`, ...users(path) }
    }
    found[`${service}.SearchEntitlementOwners`] = async () => {
      const { path } = await make()
      return { path: `${path}/owners/entitlements`, ...entitlements(path, await scene.app()) }
    }
  }
  for (const kind of ['AppOwners', 'AppEntitlementOwners', 'AppResourceOwners'])
    found[`app.v1.${kind}.List`] = async () => {
      const make = (owned[`app.v2.${kind}`] ?? owned[`app.v2.${kind}V2`]) as () => Promise<Owned>
      const { path, olderPath } = await make()
      return { path: `${olderPath}/owners`, ...users(path) }
    }
  return found
}

const stuckJobs = {
  async add(): Promise<string> {
    const id = newId()
    await db()`
      insert into jobs (tenant_id, job_id, kind, payload, state, cause, created_at)
      values (${tenantId()}, ${id}, 'walked', '{}', 'stuck', '{"operation": "", "requestId": "", "userId": ""}', now())`
    return id
  },
  remove: (id: string) => db()`delete from jobs where job_id = ${id}`,
}

const credentials = () => ({
  add: async (name: string): Promise<string> => (await scene.access.makeKey(scene.admin.userId, { name })).id,
  remove: (id: string) => db()`update credentials set deleted_at = now() where credential_id = ${id}`,
})

const attributeType = async (kind: 'risk_levels' | 'compliance_frameworks'): Promise<string> => {
  const created = await scene.post(`/api/v1/attributes/${kind}`, { value: `Of the type ${newId()}` })
  return (created.json['value'] as { attributeTypeId: string }).attributeTypeId
}
const values = async (kind: 'risk_levels' | 'compliance_frameworks') => {
  const typeId = await attributeType(kind)
  return {
    async add(name: string): Promise<string> {
      const id = newId()
      await db()`
        insert into attribute_values (tenant_id, value_id, type_id, value, created_at, updated_at)
        values (${tenantId()}, ${id}, ${typeId}, ${`${name} ${id}`}, now(), now())`
      return id
    },
    remove: (id: string) => db()`update attribute_values set deleted_at = now() where value_id = ${id}`,
  }
}

/** As they are kept, and not due for long. */
const exporters = {
  async add(name: string): Promise<string> {
    const id = newId()
    await db()`
      insert into systemlog_exports (tenant_id, export_id, display_name, datasource_id, prefix, format, state, seal_number,
        seal_position, next_run_at, created_at, updated_at)
      values (${tenantId()}, ${id}, ${name}, 'walked', '', 'gzip', 'waiting', 0, 0, now() + interval '1 day', now(), now())`
    return id
  },
  remove: (id: string) => db()`update systemlog_exports set deleted_at = now() where export_id = ${id}`,
}

/** The same, once it is in the chain: this list does not seal before it reads. */
async function addSealedEvent(name: string): Promise<string> {
  const id = await addEvent(name)
  await sealAll(scene.access.world)
  return id
}

/** Something that is logged; the event's id. */
async function addEvent(name: string): Promise<string> {
  await scene.post('/api/v1/attributes/risk_levels', { value: `${name} ${newId()}` })
  const [row] = await db()<{ id: string }[]>`select event_id as id from systemlog_events order by event_id desc limit 1`
  return row?.id as string
}

/** Deleted as the programs delete: the row stays, and says when. */
const softly = (table: Table, column: string) => (id: string) =>
  update(db(), table, { deleted_at: new Date() }, db()`x.${db()(column)} = ${id}`)

/** In one transaction; `work` gets the rows, each with an id. */
async function together<T>(
  names: readonly string[],
  work: (tx: Tx, rows: { id: string; displayName: string }[], at: Date) => Promise<T>,
): Promise<string[]> {
  const { world } = scene.access
  const rows = names.map((displayName) => ({ id: world.newId(), displayName }))
  await transact(world.db, (tx) => work(tx, rows, world.now()))
  return rows.map(({ id }) => id)
}
const userRow = (id: string, displayName: string) => ({ id, displayName, email: `${id.toLowerCase()}@example.com` })

const apps = {
  add: (name: string) => scene.app(name),
  fill: (names: readonly string[]) => together(names, (tx, rows, at) => insertApps(tx, tenantId(), rows, at)),
  remove: softly('apps', 'app_id'),
}
const users = {
  add: (displayName: string) => scene.user({ displayName }),
  fill: (names: readonly string[]) =>
    together(names, (tx, rows, at) =>
      insertUsers(
        tx,
        tenantId(),
        rows.map(({ id, displayName }) => userRow(id, displayName)),
        at,
      ),
    ),
  remove: (id: string) => update(db(), 'users', { deleted_at: new Date(), status: 'DELETED' }, db()`x.user_id = ${id}`),
}
const accounts = (appId: string, userId?: string) => ({
  add: async (displayName: string) => (await scene.account(appId, { displayName, ...(userId && { userId }) })).id,
  fill: (names: readonly string[]) =>
    together(names, (tx, rows, at) =>
      insertAccounts(
        tx,
        tenantId(),
        rows.map((row) => ({ ...row, appId, ...(userId && { userId }) })),
        at,
      ),
    ),
  remove: softly('accounts', 'account_id'),
})
const entitlements = (appId: string, resource?: { typeId: string; id: string }) => ({
  add: async (name: string) => (await scene.entitlement(appId, name, resource ? { resource } : {})).id,
  fill: (names: readonly string[]) =>
    together(names, (tx, rows, at) =>
      insertEntitlements(
        tx,
        tenantId(),
        rows.map((row) => ({ ...row, appId, ...(resource && { resource }) })),
        at,
      ),
    ),
  remove: softly('entitlements', 'entitlement_id'),
})
const types = (appId: string) => ({
  async add(name: string): Promise<string> {
    const id = newId()
    await insert(
      db(),
      tenantId(),
      'resource_types',
      db()`(tenant_id, app_id, resource_type_id, display_name, created_at, updated_at)
      values (${tenantId()}::int, ${appId}, ${id}, ${name}, now(), now())`,
    )
    return id
  },
  remove: softly('resource_types', 'resource_type_id'),
})
const resources = (appId: string, typeId: string) => ({
  async add(name: string): Promise<string> {
    const id = newId()
    await insert(
      db(),
      tenantId(),
      'resources',
      db()`(tenant_id, app_id, resource_type_id, resource_id, display_name, created_at, updated_at)
      values (${tenantId()}::int, ${appId}, ${typeId}, ${id}, ${name}, now(), now())`,
    )
    return id
  },
  remove: softly('resources', 'resource_id'),
})
const appWithType = async (): Promise<{ app: string; type: string }> => {
  const app = await scene.app()
  return { app, type: await types(app).add('A kind') }
}
const end = (column: 'account_id' | 'entitlement_id') => (id: string) =>
  db()`
  update grants set ended_at = now(), ended_by = 'test', ended_why = 'revoked'
  where ended_at is null and ${db()(column)} = ${id}`
const grantRow = (of: Ref, account: Ref, more: { expiresAt?: Date } = {}) => ({
  ...{ id: newId(), appId: of.appId, entitlementId: of.id, accountId: account.id },
  source: 'import' as const,
  ...more,
})
const holders = (held: Ref, more: { expiresAt?: Date } = {}) => ({
  async add(displayName: string): Promise<string> {
    const account = await scene.account(held.appId, { displayName, userId: await scene.user() })
    await scene.grant(held, account, more)
    return account.id
  },
  fill: (names: readonly string[]) =>
    together(names, async (tx, rows, at) => {
      const people = rows.map(({ displayName }) => userRow(newId(), displayName))
      await insertUsers(tx, tenantId(), people, at)
      const theirs = rows.map((row, i) => ({ ...row, appId: held.appId, userId: people[i]?.id as string }))
      await insertAccounts(tx, tenantId(), theirs, at)
      await insertGrants(
        tx,
        operatorCause(scene.access.tenant, 'test'),
        rows.map(({ id }) => grantRow(held, { appId: held.appId, id }, more)),
        at,
      )
    }),
  remove: end('account_id'),
})
const holdings = (by: Ref) => ({
  async add(name: string): Promise<string> {
    const held = await scene.entitlement(by.appId, name)
    await scene.grant(held, by)
    return held.id
  },
  fill: (names: readonly string[]) =>
    together(names, async (tx, rows, at) => {
      await insertEntitlements(
        tx,
        tenantId(),
        rows.map((row) => ({ ...row, appId: by.appId })),
        at,
      )
      await insertGrants(
        tx,
        operatorCause(scene.access.tenant, 'test'),
        rows.map(({ id }) => grantRow({ appId: by.appId, id }, by)),
        at,
      )
    }),
  remove: end('entitlement_id'),
})
const reached = (by: Ref) => ({
  async add(name: string): Promise<string> {
    const resource = await scene.resource(by.appId, name)
    await scene.grant(await scene.entitlement(by.appId, name, { resource }), by)
    return resource.id
  },
  remove: (id: string) => db()`
    update grants g set ended_at = now(), ended_by = 'test', ended_why = 'revoked'
    from entitlements e where e.tenant_id = g.tenant_id and e.entitlement_id = g.entitlement_id and e.resource_id = ${id} and g.ended_at is null`,
})

type Asked = { items: Json[]; next: string }
async function ask({ path, body, browser }: Walked, size: number, token: string): Promise<Asked> {
  const page = { page_size: size, page_token: token }
  const asQuery = `${path}${path.includes('?') ? '&' : '?'}page_size=${size}&page_token=${encodeURIComponent(token)}`
  const reply = body
    ? await scene.post(path, { ...body, ...page })
    : await (browser ? browser.ask(asQuery) : scene.get(asQuery))
  expect(reply.status, reply.text).toBe(200)
  return { items: reply.json['list'] as Json[], next: reply.json['nextPageToken'] as string }
}

/** The least that a page may be. */
const pageSize = 10
const rowsAtFirst = fewOrMany(12, 25)
const addedBetweenPages = fewOrMany(1, 2)
const pagesMax = 120

/** Walks a list to its end, with rows that come and go between its pages; tells what was wrong, a line each. */
async function walk(walked: Walked, askPage = ask): Promise<string[]> {
  const wrong: string[] = []
  // Names on both sides of wherever the walk has come to.
  const nameOf = (i: number): string => `Walk ${String.fromCharCode(97 + ((i * 7) % 26))} ${i}`
  const stays = new Set<string>()
  const known = new Set<string>()
  const gone = new Set<string>()
  const seen = new Set<string>()
  let named = 0
  const add = async (): Promise<string> => {
    const id = await walked.add(nameOf(named++))
    known.add(id)
    return id
  }
  const remove = async (id: string | undefined): Promise<void> => {
    if (id === undefined || !walked.remove) return
    await walked.remove(id)
    gone.add(id)
    stays.delete(id)
  }
  if (walked.fill) {
    for (const id of await walked.fill(Array.from({ length: rowsAtFirst }, () => nameOf(named++)))) {
      known.add(id)
      stays.add(id)
    }
  } else for (let i = 0; i < rowsAtFirst; i++) stays.add(await add())

  let token = ''
  for (let pages = 1; ; pages++) {
    // Another size is fine.
    const size = pages % 2 === 0 ? pageSize + 1 : pageSize
    const { items, next } = await askPage(walked, size, token)
    if (items.length > size) wrong.push(`${items.length} items on a page of ${size}`)
    if (next !== '' && items.length === 0) wrong.push('an empty page in the middle')
    const ids = items.map((item) => {
      const text = JSON.stringify(item)
      return [...known].find((id) => text.includes(`"${id}"`))
    })
    for (const id of ids) {
      if (id === undefined) continue
      if (seen.has(id)) wrong.push(`twice: ${id}`)
      if (gone.has(id)) wrong.push(`gone, and listed: ${id}`)
      seen.add(id)
    }
    if (next === '') break
    if (pages === pagesMax) return [...wrong, 'no end']
    // The very row that the next page begins after; one that is still to come; and new ones.
    await remove(ids.findLast((id) => id !== undefined))
    await remove([...stays].find((id) => !seen.has(id)))
    for (let i = 0; i < addedBetweenPages; i++) await add()
    token = next
  }
  if (walked.remove && gone.size === 0) wrong.push('nothing was removed meanwhile')
  for (const id of stays) if (!seen.has(id)) wrong.push(`missed: ${id}`)
  return wrong
}

const notWalked: Record<string, string> = {
  'attribute.v1.Attributes.ListAttributeTypes': 'the types are the program’s, and do not come or go',
  'connector.v1.ConnectorCatalogService.List': 'the catalog is the program’s, and does not come or go',
  'app.v1.AppUserService.ListAppUserCredentials': 'there are none',
  'app.v1.AppEntitlementSearchService.SearchGraph': 'a graph is no list: tests/grants/graph.test.ts',
}

const routeOf = (walkName: string): string => walkName.split(' ', 1)[0] as string

test('every paged list is walked here, or it is said why not', () => {
  const paged = routes.filter((route) => route.paged).map(({ id }) => id)
  const walked = new Set(Object.keys(walks).map(routeOf))
  const forgotten = paged.filter((id) => !walked.has(id) && !Object.hasOwn(notWalked, id))
  expect(forgotten).toEqual([])
  expect([...walked, ...Object.keys(notWalked)].filter((id) => !paged.includes(id))).toEqual([])
})

describe('nothing twice and nothing missed, while rows come and go:', () => {
  // Of each list one way to ask for it; in `npm run test:long` its other filters and orders too.
  test.each(Object.keys(walks))('%s', async (name) => {
    expect(await walk(await (walks[name] as () => Promise<Walked>)())).toEqual([])
  })
})

describe('the walk finds a list', () => {
  /** Rows in memory, in order of creation or the other way around, cut by how many came before. */
  const byOffset = (isNewestFirst: boolean) => {
    const rows: string[] = []
    const walked: Walked = {
      path: '',
      async add() {
        rows.push(newId())
        return rows.at(-1) as string
      },
      remove: async (id) => rows.splice(rows.indexOf(id), 1),
    }
    const askPage = async (_: Walked, size: number, token: string): Promise<Asked> => {
      const [from, ordered] = [Number(token), isNewestFirst ? rows.toReversed() : rows]
      const items = ordered.slice(from, from + size).map((id) => ({ id }))
      return { items, next: from + size < rows.length ? String(from + size) : '' }
    }
    return { rows, walked, askPage }
  }

  test('that misses what moved up when others went', async () => {
    const { walked, askPage } = byOffset(false)
    expect(await walk(walked, askPage)).toContainEqual(expect.stringMatching(/^missed: /))
  })

  test('that tells twice what moved down when others came', async () => {
    const { walked, askPage } = byOffset(true)
    expect(await walk({ path: '', add: walked.add }, askPage)).toContainEqual(expect.stringMatching(/^twice: /))
  })

  test('that still tells what is gone', async () => {
    const { rows, walked } = byOffset(false)
    const deleted = async (): Promise<void> => {}
    const askPage = async (_: Walked, size: number, token: string): Promise<Asked> => {
      const items = rows.filter((id) => id > token).slice(0, size)
      return { items: items.map((id) => ({ id })), next: items.length === size ? (items.at(-1) as string) : '' }
    }
    const wrong = await walk({ ...walked, remove: deleted }, askPage)
    expect(wrong).toContainEqual(expect.stringMatching(/^gone, and listed: /))
  })
})
