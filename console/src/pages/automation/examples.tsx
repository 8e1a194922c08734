import { Badge, CloseButton, SegmentedControl, Stack, Text } from '@mantine/core'
import { IconCircleCheck, IconCircleMinus, IconCircleX } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import type { AutomationExample } from '#client/api/types.ts'
import { problemOf } from '../../client/problem.ts'
import { useSession } from '../../client/session.ts'
import { UserName } from '../../parts/user-name.tsx'
import { UserPicker } from '../../parts/user-picker.tsx'
import type { Draft, Example } from './draft.ts'
import classes from './examples.module.css'

type ExamplesProps = {
  draft: Draft
  onChange: (examples: readonly Example[]) => void
  /** Their results in the plan; empty while it is computed. */
  checked: readonly AutomationExample[]
  error: unknown
  isReadOnly: boolean
}

/** People whom the rule must match and must not, and whether it does. */
export function Examples({ draft: { examples }, onChange, checked, error, isReadOnly }: ExamplesProps): ReactNode {
  const { may } = useSession()
  const [kind, setKind] = useState<'match' | 'no-match'>('match')
  const mayAdd = !isReadOnly && may('users.read')
  if (examples.length === 0 && !mayAdd) return null
  return (
    <Stack gap="xs" role="group" aria-label="Examples">
      <div>
        <Text size="sm" fw={700}>
          Examples
        </Text>
        <Text size="xs" c="dimmed">
          People who must match, and people who must not. The rule cannot be saved while one of them fails.
        </Text>
      </div>
      <ul className={classes.examples}>
        {examples.map((example) => (
          <ExampleRow
            key={example.userId}
            example={example}
            told={checked.find(({ userId }) => userId === example.userId)}
            onRemove={isReadOnly ? null : () => onChange(examples.filter((each) => each !== example))}
          />
        ))}
      </ul>
      {mayAdd && (
        <>
          <SegmentedControl
            aria-label="Kind of example"
            size="xs"
            data={[
              { value: 'match', label: 'Must match' },
              { value: 'no-match', label: 'Must not match' },
            ]}
            value={kind}
            onChange={setKind}
          />
          <UserPicker
            label="Add an example"
            without={examples.map(({ userId }) => userId)}
            onPick={({ id }) => onChange([...examples, { userId: id, mustMatch: kind === 'match' }])}
            error={
              problemOf(error, 'automation.examples.mustMatchUserIds') ??
              problemOf(error, 'automation.examples.mustNotMatchUserIds')
            }
          />
        </>
      )}
    </Stack>
  )
}

type Told = AutomationExample | undefined

/** Whether it holds: by an icon, and in words. */
const statusOf = (
  example: Example,
  told: Told,
): readonly [icon: typeof IconCircleCheck, tone: string, words: string] => {
  if (told?.status === 'AUTOMATION_EXAMPLE_STATUS_UNCHECKED')
    return [
      IconCircleMinus,
      'quiet',
      told.user ? 'Not checked: the user is not enabled' : 'Not checked: the user was deleted',
    ]
  if (!told || told.mustMatch !== example.mustMatch) return [IconCircleMinus, 'quiet', 'Not checked yet']
  const matches = (told.status === 'AUTOMATION_EXAMPLE_STATUS_HOLDS') === example.mustMatch
  const words = matches ? 'Matches' : told.error ? `Fails: ${told.error}` : 'Does not match'
  return told.status === 'AUTOMATION_EXAMPLE_STATUS_HOLDS'
    ? [IconCircleCheck, 'good', words]
    : [IconCircleX, 'bad', words]
}

function ExampleRow(props: { example: Example; told: Told; onRemove: (() => void) | null }): ReactNode {
  const { example, told, onRemove } = props
  const [Icon, tone, words] = statusOf(example, told)
  const name = told?.user?.displayName || example.userId
  return (
    <li className={classes.example} data-tone={tone}>
      <Icon size={18} aria-hidden className={classes.icon} />
      <div className={classes.who}>
        <UserName userId={example.userId} />
        <div className={classes.words}>{words}</div>
      </div>
      <Badge component="span" color={example.mustMatch ? 'teal.9' : 'gray.8'}>
        {example.mustMatch ? 'Must match' : 'Must not match'}
      </Badge>
      {onRemove && <CloseButton size="sm" aria-label={`Remove the example ${name}`} onClick={onRemove} />}
    </li>
  )
}

/** Those that the rule fails: it cannot be saved so. */
export const failingOf = (checked: readonly AutomationExample[]): readonly AutomationExample[] =>
  checked.filter(({ status }) => status === 'AUTOMATION_EXAMPLE_STATUS_FAILS')
