import type { PolicyStep } from '#client/api/types.ts'
import type { Sent } from '#client/operation.ts'

/** A step as it is edited and sent: what is left out is unset. */
export type DraftStep = Sent<PolicyStep>
export type StepKind = Exclude<keyof PolicyStep, 'action'>

/** Each kind of step that people can choose: its label, and a new step of it. Its settings: step-settings.tsx. */
export const stepKinds: Readonly<Record<StepKind, { words: string; first: DraftStep }>> = {
  approval: {
    words: 'Approval',
    first: { approval: { manager: {}, allowReassignment: true, allowDelegation: true } },
  },
  provision: { words: 'Provisioning', first: { provision: {} } },
  accept: { words: 'Automatic approval', first: { accept: { acceptMessage: '' } } },
  reject: { words: 'Automatic denial', first: { reject: { rejectMessage: '' } } },
  wait: { words: 'Wait', first: { wait: { name: '', duration: { duration: '86400s' } } } },
  form: { words: 'Questions to the requester', first: { form: { form: { fields: [] } } } },
}
export const kindNames = Object.keys(stepKinds) as StepKind[]

export const kindOf = (step: DraftStep): StepKind => kindNames.find((kind) => step[kind]) ?? 'approval'
