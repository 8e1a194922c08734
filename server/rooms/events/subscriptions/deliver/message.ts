import type { KeyObject } from 'node:crypto'
import { idTime } from '#kernel/ids.ts'
import { openUrl } from '#kernel/outgoing/secret-url.ts'
import type { Tenancy } from '#kernel/routes.ts'
import { version } from '#kernel/version.ts'
import type { World } from '#kernel/world.ts'
import { signDelivery } from '#rooms/events/webhooks/index.ts'
import { testKind } from '../kinds.ts'
import { signatureOf } from '../secret.ts'
import type { Subscription } from '../subscription.ts'

/** An event as it is sent: the same bytes to all subscriptions, in every attempt and in every replay. */
export type Message = {
  /** The id of the event. */
  id: string
  kind: string
  body: string
}

const bodyVersion = 'v1'

/** The event itself is written as it was recorded. */
export const bodyOf = (tenant: Tenancy, { id, kind, at, data }: { id: string; kind: string; at: Date; data: string }) =>
  `{"version":"${bodyVersion}","id":"${id}","type":${JSON.stringify(kind)},"timestamp":"${at.toISOString()}",` +
  `"tenantId":${JSON.stringify(tenant.publicId)},"data":${data}}`

const testPrefix = 'test_'

/** A message that is not an event of the system log. All of it follows from its id, so that it need not be stored. */
export function testMessage(tenant: Tenancy, ksuid: string): Message {
  const id = `${testPrefix}${ksuid}`
  const data = JSON.stringify({ message: 'This is a test message.' })
  return { id, kind: testKind, body: bodyOf(tenant, { id, kind: testKind, at: idTime(ksuid), data }) }
}
export const testIdOf = (messageId: string): string => messageId.slice(testPrefix.length)

/** Our own names: in the published contract `Webhook-Id` is the id of the receiver's registration, not of the message. */
export const headerNames = {
  id: 'Bailiwick-Message-Id',
  timestamp: 'Bailiwick-Message-Timestamp',
  signature: 'Bailiwick-Message-Signature',
  attempt: 'Bailiwick-Attempt',
  filterError: 'Bailiwick-Filter-Error',
} as const

/** Characters that a header may contain. */
const plain = (text: string): string => text.replaceAll(/[^\x20-\x7e]/g, '?').slice(0, 300)

export type Signing = {
  subscription: Pick<Subscription, 'id' | 'url'>
  keys: readonly KeyObject[]
  message: Message
  attempt: number
  filterError: string
  timestamp: number
}

/** The headers of every request; no secrets. */
export const openHeaders = ({ subscription, message, attempt, filterError, timestamp }: Omit<Signing, 'keys'>) => ({
  'Content-Type': 'application/json',
  'User-Agent': `Bailiwick/${version}`,
  'Webhook-Version': bodyVersion,
  'Webhook-Id': subscription.id,
  'Webhook-Event': message.kind,
  [headerNames.id]: message.id,
  [headerNames.timestamp]: String(timestamp),
  [headerNames.attempt]: String(attempt),
  ...(filterError !== '' && { [headerNames.filterError]: plain(filterError) }),
})

export type Signed = {
  headers: Record<string, string>
  url: string
  timestamp: number
  signature: string
  token: string
}

/** Both signatures: of webhooks, with the tenant's key, and of Standard Webhooks, with the subscription's secret. */
export async function signMessage(
  world: Pick<World, 'memory' | 'now' | 'newId' | 'seals'>,
  tenant: Tenancy,
  { subscription, keys, message, attempt, filterError }: Omit<Signing, 'timestamp'>,
): Promise<Signed> {
  const timestamp = Math.floor(world.now().getTime() / 1000)
  const signature = signatureOf(keys, { id: message.id, timestamp, body: message.body })
  const url = openUrl(world.seals, tenant.id, subscription.url)
  if (url === null) throw new Error(`the URL of subscription ${subscription.id} was altered in the database`)
  const ofWebhooks = await signDelivery(world, tenant, { method: 'POST', url, body: message.body })
  return {
    url,
    headers: {
      ...openHeaders({ subscription, message, attempt, filterError, timestamp }),
      ...ofWebhooks,
      [headerNames.signature]: signature,
    },
    timestamp,
    signature,
    token: (ofWebhooks['Authorization'] ?? '').replace(/^bearer /i, ''),
  }
}
