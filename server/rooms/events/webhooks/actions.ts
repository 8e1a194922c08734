import type { May } from '#authority/proof.ts'
import { strictRules } from '#kernel/outgoing/addresses.ts'
import { fragmentProblem, isShownUrl, maskProblem, openUrl, sealUrl } from '#kernel/outgoing/secret-url.ts'
import { urlProblem } from '#kernel/outgoing/send.ts'
import { invalid } from '#kernel/refusals.ts'
import type { Call } from '#kernel/routes.ts'
import type { Reads, Tx } from '#kernel/sql.ts'
import { recordChange } from '#rooms/foundation/systemlog/index.ts'
import { webhookProblems } from './decide.ts'
import { beginDelivery, hostOf } from './deliveries/begin.ts'
import type { Delivery } from './deliveries/delivery.ts'
import { endDelivery } from './deliveries/ended.ts'
import { countOpenTests, listOpenOf, redirectOpen } from './deliveries/store.ts'
import { testsTooMany, webhookNotFound } from './refuse.ts'
import { findWebhooks, insertWebhook, lockWebhook, updateWebhook } from './store.ts'
import type { Webhook, WebhookTerms } from './webhook.ts'

const openTestsMax = 20

export async function getWebhook(db: Reads, call: Call, id: string): Promise<Webhook> {
  const [webhook] = await findWebhooks(db, call.tenant.id, [id])
  if (!webhook) throw webhookNotFound(id)
  return webhook
}

/** The requested webhook, as it is stored; refused with everything that is wrong with it. */
function tidy(call: Call, wanted: WebhookTerms, prefix: string): WebhookTerms {
  const { description, callbackTimeoutSeconds } = wanted
  const terms: WebhookTerms = {
    displayName: wanted.displayName.trim(),
    description,
    url: wanted.url.trim(),
    callbackTimeoutSeconds: callbackTimeoutSeconds === null ? null : Math.round(callbackTimeoutSeconds),
  }
  const rules = call.settings.outgoing ?? strictRules
  const problems = webhookProblems(terms, (url) => urlProblem(url, rules) ?? maskProblem(url) ?? fragmentProblem(url))
  const [first, ...others] = problems.map(({ field, description: why }) => ({
    field: `${prefix}${field}`,
    description: why,
  }))
  if (first) throw invalid(first, ...others)
  return terms
}

export async function createWebhook(tx: Tx, call: May<'webhooks.create'>, wanted: WebhookTerms): Promise<Webhook> {
  const at = call.now()
  const terms = tidy(call, wanted, '')
  const webhook: Webhook = {
    ...terms,
    url: sealUrl(call.seals, call.tenant.id, terms.url),
    id: call.newId(),
    origin: call.origin,
    createdAt: at,
    updatedAt: at,
    deletedAt: null,
  }
  await insertWebhook(tx, call, webhook)
  await recordWebhookChange(tx, call, 'create', 'Created', { webhook })
  return webhook
}

/** Deliveries that are not over go to the new address: a wrong address is often why they are not. */
export async function changeWebhook(
  tx: Tx,
  call: May<'webhooks.create'>,
  id: string,
  changes: Partial<WebhookTerms>,
): Promise<Webhook> {
  const before = await lockWebhook(tx, call.tenant.id, id)
  if (!before) throw webhookNotFound(id)
  const known = openUrl(call.seals, call.tenant.id, before.url) ?? ''
  const isKept = changes.url === undefined || isShownUrl(changes.url, before.url)
  const terms = tidy(call, { ...before, ...changes, ...(isKept && { url: known }) }, 'webhook.')
  const url = terms.url === known ? before.url : sealUrl(call.seals, call.tenant.id, terms.url)
  const after: Webhook = { ...before, ...terms, url, origin: call.origin || before.origin, updatedAt: call.now() }
  await updateWebhook(tx, call, after)
  if (after.url !== before.url)
    await redirectOpen(tx, call.tenant.id, id, { destination: after.url, host: hostOf(after.url) })
  await recordWebhookChange(tx, call, 'update', `Changed ${Object.keys(changes).join(', ') || 'nothing'} of`, {
    webhook: after,
    before,
  })
  return after
}

/** Steps that wait for it are assigned to people. */
export async function removeWebhook(tx: Tx, call: May<'webhooks.use'>, id: string): Promise<void> {
  const webhook = await lockWebhook(tx, call.tenant.id, id)
  if (!webhook) throw webhookNotFound(id)
  const at = call.now()
  await updateWebhook(tx, call, { ...webhook, updatedAt: at, deletedAt: at })
  for (const delivery of await listOpenOf(tx, call.tenant.id, id))
    await endDelivery(tx, call, call.tenant, delivery, { is: 'failed', error: 'The webhook was deleted.' })
  await recordWebhookChange(tx, call, 'delete', 'Deleted', { webhook })
}

/** Sends an empty message as soon as the transaction commits. */
export async function testWebhook(tx: Tx, call: May<'webhooks.use'>, id: string): Promise<Delivery> {
  const webhook = await lockWebhook(tx, call.tenant.id, id)
  if (!webhook) throw webhookNotFound(id)
  const open = await countOpenTests(tx, call.tenant.id, id)
  if (open >= openTestsMax) throw testsTooMany(open)
  const asked = { source: 'test', payload: {}, origin: call.origin } as const
  const delivery = (await beginDelivery(tx, call, call.tenant, webhook, asked)) as Delivery
  await recordWebhookChange(tx, call, 'update', 'Tested', { webhook })
  return delivery
}

/** Only the host of the address: the rest may be a secret of the receiver. */
const dataOf = ({ displayName, description, url, callbackTimeoutSeconds }: WebhookTerms) => ({
  displayName,
  description,
  host: hostOf(url),
  callbackTimeoutSeconds,
})

const recordWebhookChange = (
  tx: Tx,
  call: Call,
  activity: 'create' | 'update' | 'delete',
  verb: string,
  { webhook, before }: { webhook: Webhook; before?: Webhook },
) =>
  recordChange(tx, call, activity, `${verb} the webhook ${webhook.displayName}`, [
    {
      type: 'webhook',
      id: webhook.id,
      name: webhook.displayName,
      data: {
        ...dataOf(webhook),
        ...(before && { before: dataOf(before), isUrlChanged: before.url !== webhook.url }),
      },
    },
  ])
