import { Badge } from '@mantine/core'
import type { ReactNode } from 'react'
import type { WebhookDelivery } from '#client/api/types.ts'

const states: Readonly<Record<string, readonly [word: string, color: string]>> = {
  WEBHOOK_STATE_PENDING: ['Waiting to be sent', 'gray'],
  WEBHOOK_STATE_RUNNING: ['Sending', 'blue'],
  WEBHOOK_STATE_ERROR: ['Failed, will be retried', 'yellow'],
  WEBHOOK_STATE_WAITING_CALLBACK: ['Waiting for callback', 'blue'],
  WEBHOOK_STATE_PROCESS_RESPONSE: ['Answered', 'teal'],
  WEBHOOK_STATE_SUCCESS: ['Succeeded', 'teal'],
  WEBHOOK_STATE_FATAL_ERROR: ['Failed', 'red'],
}

export function DeliveryState({ state }: { state: string }): ReactNode {
  const [word, color] = states[state] ?? [state, 'gray']
  return (
    <Badge component="span" color={color}>
      {word}
    </Badge>
  )
}

/** Whether nothing more will happen to a delivery without the receiver's doing. */
export const isSettled = ({ state }: Pick<WebhookDelivery, 'state'>): boolean =>
  state !== 'WEBHOOK_STATE_PENDING' && state !== 'WEBHOOK_STATE_RUNNING'

const outcomes: Readonly<Record<string, string>> = {
  approve: 'Approved',
  deny: 'Denied',
  reassign: 'Reassigned',
  replacePolicy: 'Replaced the step',
  complete: 'Completed',
  errored: 'Reported a failure',
}
export const outcomeWords = (outcome: string): string => outcomes[outcome] ?? outcome

export function purposeOf({ source }: Pick<WebhookDelivery, 'source'>): string {
  if (source?.approvalStep) return 'Approval'
  if (source?.provisionStep) return 'Provisioning'
  return 'Test'
}

export const taskOf = ({ source }: Pick<WebhookDelivery, 'source'>): string =>
  source?.approvalStep?.ticketId ?? source?.provisionStep?.ticketId ?? ''

export const hostOf = (url: string): string => URL.parse(url)?.host ?? url
