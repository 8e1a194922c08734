import { Button } from '@mantine/core'
import { IconRobot } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { EmptyNote } from '../../parts/empty-note.tsx'
import { ErrorNote } from '../../parts/error-note.tsx'
import { useOpenedBy } from '../../parts/opened-by.ts'
import { Panel } from '../../parts/panel.tsx'
import { EntitlementPage, useEntitlement } from '../entitlements/entitlement-page.tsx'
import { AskAbout } from './ask-about.tsx'
import { Held, Resting } from './notices.tsx'
import { useRule } from './reads.ts'
import { useMayChangeRule } from './rights.ts'
import { RuleEditor, RuleEditorSkeleton } from './rule-editor.tsx'
import { RuleSummary } from './rule-summary.tsx'

/** The rule that gives an entitlement, with what it would do before it does it. */
export function Automation(): ReactNode {
  const { appId, entitlementId } = useEntitlement()
  const of = { appId, entitlementId }
  const mayChange = useMayChangeRule()
  const now = useRule(of)
  const [isMaking, setMaking] = useState(false)
  useOpenedBy('new', () => setMaking(true))
  const { rule, state } = now
  const isNew = rule === null && isMaking && mayChange
  return (
    <EntitlementPage>
      <ErrorNote error={now.error} title="The rule could not be loaded" retry={now.retry} />
      {rule === undefined ? (
        !now.error && <RuleEditorSkeleton />
      ) : rule || isNew ? (
        <>
          {state && <Held of={of} runId={state.heldRunId} mayChange={mayChange} />}
          {state && <Resting state={state} />}
          {rule && <RuleSummary of={of} rule={rule} state={state} isBusy={now.isBusy} mayChange={mayChange} />}
          <RuleEditor
            key={isNew ? 'new' : 'saved'}
            of={of}
            rule={rule}
            isHeld={(state?.heldRunId ?? '') !== ''}
            isBusy={now.isBusy}
            mayChange={mayChange}
            onGiveUp={() => setMaking(false)}
          />
          {rule && <AskAbout of={of} />}
        </>
      ) : (
        <Panel>
          <EmptyNote
            icon={IconRobot}
            title="This entitlement has no automation rule"
            action={mayChange && <Button onClick={() => setMaking(true)}>Create rule</Button>}
          >
            A rule grants the entitlement to everyone who matches, and revokes what it granted when they no longer
            match. It never changes manual grants. You see a plan of all changes before you save the rule.
          </EmptyNote>
        </Panel>
      )}
    </EntitlementPage>
  )
}
