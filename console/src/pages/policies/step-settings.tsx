import { TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Field } from '#client/api/types.ts'
import { followName } from '../../parts/question-kinds.ts'
import { QuestionsEditor } from '../../parts/questions-editor.tsx'
import { fieldsOfForm } from '../tasks/task-form.ts'
import { ApprovalSettings } from './approval-settings.tsx'
import type { DraftStep } from './draft.ts'
import { ProvisionFields } from './provision-fields.tsx'
import { WaitSettings } from './wait-settings.tsx'

type StepSettingsProps = {
  step: DraftStep
  onChange: (step: DraftStep) => void
  isReadOnly: boolean
  policyType: string
  problem: (field: string) => string | undefined
}

/** The settings of a step, by its kind. */
export function StepSettings({ step, onChange, isReadOnly, policyType, problem }: StepSettingsProps): ReactNode {
  const of = (kind: string) => (field: string) => problem(`${kind}.${field}`)
  if (step.approval)
    return (
      <ApprovalSettings
        approval={step.approval}
        onChange={(approval) => onChange({ approval })}
        isReadOnly={isReadOnly}
        policyType={policyType}
        problem={of('approval')}
      />
    )
  if (step.accept || step.reject)
    return (
      <TextInput
        label="Message"
        description="Visible to everyone who can see the task."
        readOnly={isReadOnly}
        value={step.accept?.acceptMessage ?? step.reject?.rejectMessage ?? ''}
        onChange={({ currentTarget: { value } }) =>
          onChange(step.accept ? { accept: { acceptMessage: value } } : { reject: { rejectMessage: value } })
        }
      />
    )
  if (step.provision)
    return (
      <ProvisionFields
        policy={step.provision.provisionPolicy ?? null}
        onChange={(provisionPolicy) => onChange({ provision: provisionPolicy ? { provisionPolicy } : {} })}
        label="How access is provisioned"
        standard="As set for the entitlement"
        isReadOnly={isReadOnly}
        problem={(field) => problem(`provision.provisionPolicy.${field}`)}
      />
    )
  if (step.wait)
    return (
      <WaitSettings
        wait={step.wait}
        onChange={(wait) => onChange({ wait })}
        isReadOnly={isReadOnly}
        problem={of('wait')}
      />
    )
  return (
    <QuestionsEditor
      fields={fieldsOfForm(step.form?.form ?? null)}
      onChange={(fields: readonly Field[], renamed) => {
        const form = { ...step.form?.form, fields: [...fields] }
        onChange({ form: { ...step.form, form: renamed ? followName(form, renamed.from, renamed.to) : form } })
      }}
      isReadOnly={isReadOnly}
    />
  )
}
