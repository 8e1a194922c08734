import { Alert, List, Text } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { LeaverPlan } from '#client/api/types.ts'
import { dependsToo, needsSomeone } from './leaving.ts'

/** What has to be settled first, in a few lines. */
export function Verdict({ plan, isDisabled }: { plan: LeaverPlan; isDisabled: boolean }): ReactNode {
  const first = needsSomeone(plan)
  const too = dependsToo(plan)
  if (plan.lastSuperAdministrator)
    return (
      <Alert mb="md" color="red" icon={<IconAlertTriangle size={18} aria-hidden />} title="They cannot be disabled">
        They are the only Super Administrator. Grant someone else that role first.
      </Alert>
    )
  if (first.length === 0 && too.length === 0)
    return (
      <Alert mb="md" color="teal" icon={<IconCircleCheck size={18} aria-hidden />} title="Nothing depends on them">
        {isDisabled
          ? 'They are already disabled.'
          : 'They can be disabled without consequences for requests of others.'}
      </Alert>
    )
  return (
    <Alert
      mb="md"
      color={first.length > 0 ? 'orange' : 'blue'}
      icon={<IconAlertTriangle size={18} aria-hidden />}
      title={first.length > 0 ? 'Reassign these first' : 'Others can take over'}
    >
      <List size="sm">
        {first.map((each) => (
          <List.Item key={each}>{each}</List.Item>
        ))}
      </List>
      {too.length > 0 && (
        <Text size="sm" mt={first.length > 0 ? 'xs' : 0}>
          {first.length > 0 ? 'Also: ' : ''}
          {too.join('; ')}.
        </Text>
      )}
    </Alert>
  )
}
