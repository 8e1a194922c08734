import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { AsOfField } from '../../parts/as-of.tsx'
import { FilterPill } from '../../parts/filter-pill.tsx'
import { useListState } from '../../parts/list-state.ts'
import { Panel } from '../../parts/panel.tsx'
import { UserName } from '../../parts/user-name.tsx'
import { UserPicker } from '../../parts/user-picker.tsx'
import classes from './choose.module.css'
import { PathsPanel, type PathTarget } from './paths-panel.tsx'

/** How a person who is chosen here reaches something. */
export function ChoosePerson({ name, target }: { name: string; target: PathTarget }): ReactNode {
  const { filter, set } = useListState()
  const userId = filter('user')
  return (
    <>
      <Panel title={`How does someone reach ${name}?`}>
        <div className={classes.fields}>
          <UserPicker label="Person" onPick={({ id }) => set({ user: id })} />
          <AsOfField />
        </div>
        {userId ? (
          <FilterPill removes="Choose another person" onRemove={() => set({ user: '' })}>
            <UserName userId={userId} />
          </FilterPill>
        ) : (
          <Text size="sm" c="dimmed" mt="sm">
            Choose a person to see through which accounts, groups, rules and requests they reach it.
          </Text>
        )}
      </Panel>
      {userId && <PathsPanel userId={userId} target={target} />}
    </>
  )
}
