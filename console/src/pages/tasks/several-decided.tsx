import { List, ScrollArea, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { SeenTask } from './seen-task.ts'
import { reasonOf } from './task-columns.tsx'
import { alikeOf } from './unlike.ts'
import { counted } from './words.ts'

const shownMax = 50

/** What is decided together: for whom and why, in groups that ask for the same. */
export function SeveralDecided({ tasks }: { tasks: readonly SeenTask[] }): ReactNode {
  const groups = alikeOf(tasks)
  return (
    <Stack gap="xs">
      {groups.length > 1 && (
        <Text size="sm" fw={600}>
          They are not alike: {counted(groups.length, 'kind')} of request.
        </Text>
      )}
      <ScrollArea.Autosize mah="22rem" type="auto" viewportProps={{ tabIndex: 0, 'aria-label': 'What is decided' }}>
        <Stack gap="sm">
          {groups.map(({ key, title, tasks: all }) => (
            <section key={key} aria-label={title}>
              <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
                {title} ({all.length.toLocaleString()})
              </Text>
              <List size="sm">
                {all.slice(0, shownMax).map((seen) => (
                  <List.Item key={seen.task.id} style={{ overflowWrap: 'anywhere' }}>
                    {seen.task.userId === '' ? seen.task.displayName : seen.nameOf(seen.task.userId)}
                    {reasonOf(seen) ? `: “${reasonOf(seen)}”` : ': no reason given'}
                  </List.Item>
                ))}
                {all.length > shownMax && <List.Item>and {(all.length - shownMax).toLocaleString()} others</List.Item>}
              </List>
            </section>
          ))}
        </Stack>
      </ScrollArea.Autosize>
    </Stack>
  )
}
