import { Button, Checkbox } from '@mantine/core'
import { IconCheck, IconX } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { RelativeTime } from '../../parts/relative-time.tsx'
import { RowActions } from '../../parts/row-actions.tsx'
import type { Column } from '../../parts/table.tsx'
import type { Decision } from './deciding.ts'
import classes from './inbox.module.css'
import { may, type SeenTask } from './seen-task.ts'
import { personColumn, reasonOf, TaskName } from './task-columns.tsx'
import { stepTitle, titleOf } from './words.ts'

type InboxColumns = {
  selected: ReadonlyMap<string, SeenTask>
  onToggle: (seen: SeenTask) => void
  onDecide: (seen: SeenTask, decision: Decision) => void
}

export const columnsFor = ({ selected, onToggle, onDecide }: InboxColumns): readonly Column<SeenTask>[] => [
  {
    header: 'Request',
    cell: (seen) => (
      <TaskName
        seen={seen}
        select={
          <Checkbox
            aria-label={`Select ${titleOf(seen)}`}
            checked={selected.has(seen.task.id)}
            onChange={() => onToggle(seen)}
          />
        }
      />
    ),
  },
  personColumn,
  {
    header: 'Reason',
    width: '24%',
    cell: (seen) => <span className={classes.reason}>{reasonOf(seen) || '–'}</span>,
  },
  {
    header: 'Waiting',
    width: '9rem',
    cell: ({ task }) => {
      const since = task.policy?.current?.approval?.assignedAt ?? task.createdAt
      return since && <RelativeTime at={since} />
    },
  },
  actionsColumn(onDecide),
]

const actionsColumn = (onDecide: (seen: SeenTask, decision: Decision) => void): Column<SeenTask> => ({
  header: 'Actions',
  isHidden: true,
  width: '7.5rem',
  cell: (seen) => {
    const of = titleOf(seen)
    if (!may(seen, 'APPROVE')) {
      const now = seen.task.policy?.current
      return (
        <Button
          component={Link}
          to={`/tasks/${seen.task.numericId}`}
          size="compact-xs"
          variant="default"
          aria-label={`Open ${of}`}
        >
          {now?.provision ? 'Provision' : now?.form ? 'Answer' : now ? stepTitle(now) : 'Open'}
        </Button>
      )
    }
    return (
      <RowActions
        actions={[
          { label: 'Approve', name: `Approve ${of}`, icon: IconCheck, onClick: () => onDecide(seen, 'approve') },
          { label: 'Deny', name: `Deny ${of}`, icon: IconX, onClick: () => onDecide(seen, 'deny') },
        ]}
      />
    )
  },
})
