import { createHash } from 'node:crypto'
import { redactedUrl } from '#kernel/outgoing/secret-url.ts'
import type { Call } from '#kernel/routes.ts'
import {
  described,
  flag,
  int32,
  int64,
  list,
  listOf,
  type MessageOf,
  message,
  nested,
  oneOf,
  readOnly,
  text,
  timestamp,
} from '#kernel/wire.ts'
import { findEventText } from '#rooms/foundation/systemlog/index.ts'
import { bodyOf, headerNames, openHeaders, testIdOf, testMessage } from './deliver/message.ts'
import { behindMax } from './metrics.ts'
import { type Delivery, outcomes, reasons, type Subscription, states } from './subscription.ts'

const statePrefix = 'SUBSCRIPTION_STATE_'
const reasonPrefix = 'SUBSCRIPTION_REASON_'
const outcomePrefix = 'DELIVERY_OUTCOME_'
const upper = (prefix: string, names: readonly string[]) =>
  [`${prefix}UNSPECIFIED`, ...names.map((name) => `${prefix}${name.toUpperCase()}`)] as [string, ...string[]]

export const outcomeField = () => oneOf(upper(outcomePrefix, outcomes))
export const outcomeOf = (named: string): Delivery['outcome'] | null =>
  outcomes.find((each) => `${outcomePrefix}${each.toUpperCase()}` === named) ?? null

const filterText = () =>
  described(
    text({ maxLength: 10_000 }),
    'A CEL expression about event (the event as the system log has it) and kind, such as event.severity_id >= 3. Empty: all events of the kinds.',
  )

export const ownFields = {
  displayName: text({ maxLength: 200 }),
  description: text({ maxLength: 10_000 }),
  url: described(
    text({ maxLength: 2_000 }),
    'The URL that events are sent to. Callers who cannot change it see it without the values of its query.',
  ),
  eventKinds: described(
    list(text({ maxLength: 200 }), 50),
    'Event kinds, each with at most one * for any characters, such as app.v1.*, denied.* or *.Delete. Empty: all.',
  ),
  filter: filterText(),
}

export const SubscriptionMessage = message(
  'bailiwick.v1.Subscription',
  {
    id: readOnly(text()),
    ...ownFields,
    state: readOnly(oneOf(upper(statePrefix, states))),
    reason: described(readOnly(oneOf(upper(reasonPrefix, reasons))), 'Why it is paused or ended.'),
    detail: described(readOnly(text()), 'Why it is paused or ended, or why the last attempt failed.'),
    stateChangedAt: readOnly(timestamp()),
    eventsBehind: described(
      readOnly(int32()),
      `Events of the system log after the last one that was acknowledged or not selected; ${behindMax} for that many or more.`,
    ),
    failedAttempts: described(readOnly(int32()), 'Failed attempts at the next event.'),
    failingSince: readOnly(timestamp()),
    nextAttemptAt: readOnly(timestamp()),
    lastDeliveredAt: readOnly(timestamp()),
    deliveredCount: readOnly(int64()),
    filterErrorCount: described(
      readOnly(int64()),
      'Events on which the filter failed. They were sent, with the header Bailiwick-Filter-Error.',
    ),
    filterError: described(readOnly(text()), 'The last of these events, and the error.'),
    oldSecretUntil: described(readOnly(timestamp()), 'Until when messages are also signed with the previous secret.'),
    responsibleUserId: described(
      readOnly(text()),
      'The user who created it, or last changed or resumed it. It is paused if they may no longer read the system log.',
    ),
    createdBy: readOnly(text()),
    createdAt: readOnly(timestamp()),
    updatedAt: readOnly(timestamp()),
  },
  'A subscription sends events of the system log to a URL, in the order of the log, each at least once.',
)

export const viewSubscription = (
  of: Subscription,
  eventsBehind: number,
): MessageOf<typeof SubscriptionMessage.fields> => ({
  ...of,
  url: redactedUrl(of.url),
  state: `${statePrefix}${of.state.toUpperCase()}`,
  reason: of.reason === '' ? `${reasonPrefix}UNSPECIFIED` : `${reasonPrefix}${of.reason}`,
  eventsBehind,
  failedAttempts: of.attempt,
  responsibleUserId: of.responsibleId,
})

const Header = message('bailiwick.v1.DeliveryHeader', { name: text(), value: text() })

const deliveryFields = {
  id: text(),
  subscriptionId: text(),
  messageId: described(text(), 'The id of the event. It is the same in every attempt and every replay.'),
  eventKind: text(),
  isTest: flag(),
  attempt: int32(),
  outcome: outcomeField(),
  startedAt: timestamp(),
  durationMs: int32(),
  status: described(int32(), 'The HTTP status of the response; 0 if there was none.'),
  error: text(),
}
export const DeliveryMessage = message('bailiwick.v1.Delivery', deliveryFields, 'An attempt to deliver a message.')

export const DeliveryDetail = message('bailiwick.v1.DeliveryDetail', {
  delivery: nested(DeliveryMessage),
  request: nested(
    message('bailiwick.v1.DeliveryRequest', {
      method: text(),
      url: text(),
      headers: described(listOf(Header), 'Signatures and tokens are removed.'),
      body: described(text(), 'Empty if the event is no longer in the database.'),
    }),
  ),
  reply: nested(
    message('bailiwick.v1.DeliveryReply', {
      status: int32(),
      headers: listOf(Header),
      body: described(text(), 'The first 4,096 characters. Signatures and tokens are removed.'),
    }),
  ),
})

export const viewDelivery = (of: Delivery): MessageOf<typeof deliveryFields> => ({
  ...of,
  eventKind: of.kind,
  outcome: `${outcomePrefix}${of.outcome.toUpperCase()}`,
})

const asList = (headers: Readonly<Record<string, string>>) =>
  Object.entries(headers).map(([name, value]) => ({ name, value }))

/** With the request as it was sent: its body is the event, which the system log contains. */
export async function viewDetail(call: Call, of: Delivery): Promise<MessageOf<typeof DeliveryDetail.fields>> {
  const body = of.isTest ? testMessage(call.tenant, testIdOf(of.messageId)).body : await eventBody(call, of)
  const headers = {
    ...openHeaders({
      subscription: { id: of.subscriptionId, url: '' },
      attempt: of.attempt,
      timestamp: of.request.timestamp,
      message: { id: of.messageId, kind: of.kind, body: '' },
      filterError: of.request.filterError ?? '',
    }),
    Authorization: 'bearer [removed]',
    ...(body !== '' && { 'Content-Digest': `sha-256=${createHash('sha256').update(body).digest('base64')}` }),
    [headerNames.signature]: 'v1,[removed]',
  }
  return {
    delivery: viewDelivery(of),
    request: { method: 'POST', url: of.request.url, headers: asList(headers), body },
    reply:
      of.status === 0
        ? null
        : { status: of.status, headers: asList(of.reply?.headers ?? {}), body: of.reply?.body ?? '' },
  }
}

async function eventBody({ db, tenant }: Call, { messageId: id, kind }: Delivery): Promise<string> {
  const data = await findEventText(db, tenant.id, id)
  if (data === null) return ''
  const at = new Date((JSON.parse(data) as { time: number }).time)
  return bodyOf(tenant, { id, kind, at, data })
}
