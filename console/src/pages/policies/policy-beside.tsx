import { Code, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Panel } from '../../parts/panel.tsx'
import type { Draft, Keyed } from './draft.ts'
import classes from './policy-page.module.css'
import { titleOf } from './words.ts'

const Steps = ({ steps }: { steps: readonly Keyed[] }): ReactNode =>
  steps.length === 0 ? (
    <Text size="sm" c="dimmed">
      No steps yet.
    </Text>
  ) : (
    <ol className={classes.words}>
      {steps.map(({ key, step }) => (
        <li key={key}>{titleOf(step)}</li>
      ))}
    </ol>
  )

/** What is shown beside a policy while it is edited: the policy as text. */
export const PolicyBeside = ({ draft }: { draft: Draft }): ReactNode => (
  <Panel title="What happens to a request">
    {draft.rules.map(({ key, condition, isByPolicy, steps }, place) => (
      <div key={key}>
        <Text size="sm" mt={place > 0 ? 'sm' : 0}>
          {place === 0 ? 'If' : 'Otherwise, if'} <Code>{condition.trim() || '…'}</Code>:
        </Text>
        {isByPolicy ? <Text size="sm">the steps of another policy.</Text> : <Steps steps={steps} />}
      </div>
    ))}
    {draft.rules.length > 0 && (
      <Text size="sm" mt="sm">
        Otherwise:
      </Text>
    )}
    {draft.isByPolicy ? <Text size="sm">The steps of another policy.</Text> : <Steps steps={draft.steps} />}
  </Panel>
)
