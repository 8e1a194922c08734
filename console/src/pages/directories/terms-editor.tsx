import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useEffect, useState } from 'react'
import { LeaveQuestion } from '../../parts/leave-question.tsx'
import { Panel } from '../../parts/panel.tsx'
import { PlanPanel } from './plan.tsx'
import { useDirectoryPlan } from './planning.ts'
import { isSameTerms, lackOf, sentTerms, type Terms } from './terms.ts'
import { TermsForm } from './terms-form.tsx'

type TermsEditorProps = {
  /** Empty while none is chosen. */
  appId: string
  saved: Terms
  isNew: boolean
  /** Why there cannot be a plan, regardless of the terms. */
  lack?: string | null
  /** Above the terms: the choice of the app. */
  children?: ReactNode
}

/** The terms of a directory, and then the plan that saves them. */
export function TermsEditor({ appId, saved, isNew, lack: before = null, children }: TermsEditorProps): ReactNode {
  const navigate = useNavigate()
  const [terms, setTerms] = useState(saved)
  const planning = useDirectoryPlan({
    done: isNew ? 'The app is a directory now' : 'Saved the directory',
    onApplied: () => void navigate({ to: `/directories/${appId}`, ignoreBlocker: true }),
  })
  const { forget } = planning
  // A plan belongs to one app: after another is chosen, it would show, and do, what is no longer wanted.
  // oxlint-disable-next-line react/exhaustive-deps -- only another app makes it outdated
  useEffect(() => forget(), [appId])
  const isChanged = isNew || !isSameTerms(saved, terms)
  const lack = before ?? (isChanged ? lackOf(terms) : 'Make a change to see the plan.')
  return (
    <>
      <Panel title="Accounts and users">
        {children}
        <TermsForm
          terms={terms}
          onChange={(changed) => {
            planning.forget()
            setTerms(changed)
          }}
          error={planning.error}
        />
      </Panel>
      <PlanPanel
        planning={planning}
        change={sentTerms(appId, terms)}
        appId={appId}
        lack={lack}
        fields={['celExpression.expression', 'mergeConfig.matchCases']}
        verb={isNew ? 'Use as directory' : 'Save and apply'}
      />
      <LeaveQuestion isChanged={!isSameTerms(saved, terms)}>Your changes to the directory are not saved.</LeaveQuestion>
    </>
  )
}
