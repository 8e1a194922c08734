import {
  described,
  duration,
  fixed,
  flag,
  int32,
  int64,
  listOf,
  message,
  nested,
  oneOf,
  readOnly,
  struct,
  text,
  timestamp,
} from '#kernel/wire.ts'

const nameLength = 200
const descriptionLength = 10_000

export const webhookFields = {
  displayName: text({ maxLength: nameLength }),
  description: text({ maxLength: descriptionLength }),
  url: described(text({ maxLength: 8_000 }), 'The URL that deliveries are sent to, by POST.'),
  callbackTimeout: described(
    duration(),
    'How long to wait for a callback after a response with status 202: 1 to 30 days, in seconds. The default is 8 days.',
  ),
}

export const WebhookMessage = message(
  'webhooks.v1.Webhook',
  {
    id: fixed(text()),
    ...webhookFields,
    createdAt: readOnly(timestamp()),
    updatedAt: readOnly(timestamp()),
    deletedAt: readOnly(timestamp()),
  },
  'A URL of another system that decides or performs steps of policies.',
)

export const states = {
  pending: 'WEBHOOK_STATE_PENDING',
  running: 'WEBHOOK_STATE_RUNNING',
  error: 'WEBHOOK_STATE_ERROR',
  waiting: 'WEBHOOK_STATE_WAITING_CALLBACK',
  answered: 'WEBHOOK_STATE_PROCESS_RESPONSE',
  success: 'WEBHOOK_STATE_SUCCESS',
  fatal: 'WEBHOOK_STATE_FATAL_ERROR',
} as const

const ofTicket = (name: string) => nested(message(`webhooks.v1.WebhookSource.${name}`, { ticketId: text() }))

const instanceFields = {
  id: described(text(), 'The same for all attempts; it is also in the header Bailiwick-Delivery-Id.'),
  webhookId: text(),
  state: described(
    oneOf(['WEBHOOK_STATE_UNSPECIFIED', ...Object.values(states)]),
    'ERROR is retried; FATAL_ERROR is not.',
  ),
  attempts: int32(),
  source: nested(
    message('webhooks.v1.WebhookSource', {
      test: nested(message('webhooks.v1.WebhookSource.WebhookSourceTest', {})),
      approvalStep: ofTicket('WebhookSourceApprovalStep'),
      provisionStep: ofTicket('WebhookSourceProvisionStep'),
      policyPostAction: ofTicket('WebhookSourcePolicyPostAction'),
      workflowStep: nested(
        message('webhooks.v1.WebhookSource.WebhookSourceWorkflowStep', {
          workflowExecutionId: int64(),
          workflowStepId: text(),
        }),
      ),
    }),
  ),
  spec: nested(message('webhooks.v1.WebhookSpec', { destination: text() })),
  createdAt: timestamp(),
  updatedAt: timestamp(),
  lastAttemptedAt: timestamp(),
  completedAt: timestamp(),
  expiresAt: timestamp(),
}

export const InstanceMessage = message('webhooks.v1.WebhookInstance', instanceFields, 'One message to a webhook.')

const deliveryFields = {
  ...instanceFields,
  event: text(),
  nextAttemptAt: timestamp(),
  error: described(text(), 'Why the last attempt failed, or why the delivery ended.'),
  outcome: described(text(), 'The answer of the webhook: approve, deny, reassign, replacePolicy, complete or errored.'),
  comment: text(),
}

export const DeliveryMessage = message(
  'bailiwick.v1.WebhookDelivery',
  deliveryFields,
  'One message to a webhook, and its outcome.',
)

const headers = described(struct(), 'By name. Values that may be secret are replaced by [removed].')

const AttemptMessage = message(
  'bailiwick.v1.WebhookAttempt',
  {
    number: described(int32(), 'From 1; 0 for a callback.'),
    isCallback: flag(),
    requestHeaders: headers,
    beganAt: timestamp(),
    endedAt: described(timestamp(), 'Empty while it is in progress, or if the server was killed during the attempt.'),
    status: described(
      int32(),
      'The status of the response; 0 if there was none. For a callback: the status of the response to it.',
    ),
    error: text(),
    replyHeaders: headers,
    replyBody: described(text(), 'At most 16,384 characters; for a callback, its body.'),
    sourceAddress: described(text(), 'The IP address that a callback came from.'),
  },
  'A request that was sent, or a callback that was received.',
)

export const DeliveryDetailsMessage = message('bailiwick.v1.WebhookDeliveryDetails', {
  ...deliveryFields,
  requestUrl: text(),
  requestBody: described(text(), 'The message, without the callback URL.'),
  attemptList: listOf(AttemptMessage),
})
