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
  url: described(text({ maxLength: 8_000 }), 'Where deliveries are sent, by POST.'),
  callbackTimeout: described(
    duration(),
    'How long the callback is waited for after a reply of 202: 1 to 30 days, in seconds. 8 days where it is not set.',
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
  'An address of another system that decides steps of policies, or carries them out.',
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
  id: described(text(), 'The same for all attempts; the header Bailiwick-Delivery-Id has it.'),
  webhookId: text(),
  state: described(
    oneOf(['WEBHOOK_STATE_UNSPECIFIED', ...Object.values(states)]),
    'ERROR is tried again; FATAL_ERROR is not.',
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
  error: described(text(), 'Why the last attempt failed, or why it is over.'),
  outcome: described(text(), 'What the webhook answered: approve, deny, reassign, replacePolicy, complete or errored.'),
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
    endedAt: described(timestamp(), 'Empty while it is in progress, and if the server was killed in the meantime.'),
    status: described(
      int32(),
      'The status of the reply; 0 where there was none. Of a callback: the status it was answered with.',
    ),
    error: text(),
    replyHeaders: headers,
    replyBody: described(text(), 'At most 16,384 characters of it; of a callback, what it said.'),
    sourceAddress: described(text(), 'Where a callback came from.'),
  },
  'A request that was sent, or a callback that came.',
)

export const DeliveryDetailsMessage = message('bailiwick.v1.WebhookDeliveryDetails', {
  ...deliveryFields,
  requestUrl: text(),
  requestBody: described(text(), 'What is sent, without the address for callbacks.'),
  attemptList: listOf(AttemptMessage),
})
