import type { Instance } from './task.ts'

/** The webhook that a step waits for; null where people decide it, or carry it out, or it is over. */
export function webhookOf({ step, assignees, end }: Pick<Instance, 'step' | 'assignees' | 'end'>): string | null {
  if (end || assignees.length > 0) return null
  if (step.kind === 'approval') return step.approvers.by === 'webhook' ? step.approvers.webhookId : null
  return step.kind === 'provision' ? (step.provision?.webhook?.webhookId ?? null) : null
}

export const isAsked = (instance: Pick<Instance, 'step' | 'assignees' | 'end'>): boolean => webhookOf(instance) !== null
