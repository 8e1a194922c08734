import type { ReactNode } from 'react'
import type { PlannedStep, TaskWhyResponse, TaskWhyStep } from '#client/api/types.ts'
import classes from './step-why.module.css'
import { counted } from './words.ts'

type Explained = Pick<
  PlannedStep,
  'place' | 'summary' | 'people' | 'peopleCount' | 'leftOut' | 'leftOutCount' | 'triedBefore'
> &
  Partial<Pick<TaskWhyStep, 'whyNotMe' | 'isOpen'>>

/** Why there is a step, why these people are asked, and why the reader is not. */
export function StepWhy({ step }: { step: Explained }): ReactNode {
  const { place, summary, people, peopleCount, leftOut, leftOutCount, triedBefore, whyNotMe, isOpen } = step
  const unnamed = peopleCount - people.length
  const unseen = leftOutCount - leftOut.length
  return (
    <Why label={peopleCount > 0 ? 'Why this step and these people' : 'Why this step'}>
      <p>
        Step {place} of the policy: {summary}
      </p>
      {triedBefore.length > 0 && (
        <>
          <h3>Tried first</h3>
          <Items items={triedBefore} />
        </>
      )}
      {people.length > 0 && (
        <>
          <h3>{whyNotMe !== undefined && !isOpen ? 'Who could decide' : 'Who can decide'}</h3>
          <ul>
            {people.map(({ userId, displayName, why }) => (
              <li key={userId}>
                <strong>{displayName}</strong>: {why}
              </li>
            ))}
            {unnamed > 0 && <li>and {counted(unnamed, 'other')}</li>}
          </ul>
        </>
      )}
      {leftOutCount > 0 && (
        <>
          <h3>Excluded</h3>
          <ul>
            {leftOut.map(({ userId, displayName, why }) => (
              <li key={userId}>
                <strong>{displayName}</strong>: {why}
              </li>
            ))}
            {unseen > 0 && (
              <li>
                {unseen === 1 ? '1 person' : `${unseen.toLocaleString()} people`} who cannot decide, hidden from you
              </li>
            )}
          </ul>
        </>
      )}
      {whyNotMe && !isOpen && (
        <>
          <h3>You</h3>
          <p>{whyNotMe}</p>
        </>
      )}
    </Why>
  )
}

/** How the policy was chosen, each time that it was. */
export function RouteWhy({ rounds }: { rounds: TaskWhyResponse['rounds'] }): ReactNode {
  if (rounds.length === 0) return null
  return (
    <Why label="Why these steps">
      {rounds.map(({ policyGenerationId, why }) => (
        <div key={policyGenerationId}>
          {rounds.length > 1 && <h3>Round {policyGenerationId}</h3>}
          <Items items={why} />
        </div>
      ))}
    </Why>
  )
}

export const Items = ({ items }: { items: readonly string[] }): ReactNode => (
  <ul>
    {items.map((item) => (
      <li key={item}>{item}</li>
    ))}
  </ul>
)

/** An explanation that not every reader needs, and that is opened by a click. */
export const Why = ({ label, children }: { label: string; children: ReactNode }): ReactNode => (
  <details className={classes.why}>
    <summary>{label}</summary>
    <div className={classes.told}>{children}</div>
  </details>
)
