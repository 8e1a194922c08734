import { Text } from '@mantine/core'
import type { Icon } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './empty-note.module.css'

export type EmptyNoteProps = {
  icon?: Icon
  /** What there is none of. */
  title: string
  /** What to do about it. */
  children: ReactNode
  action?: ReactNode
}

/** In place of a list that has nothing in it. */
export const EmptyNote = ({ icon: Icon, title, children, action }: EmptyNoteProps): ReactNode => (
  <div className={classes.note}>
    {Icon && <Icon size={28} stroke={1.4} aria-hidden className={classes.icon} />}
    <Text fw={600}>{title}</Text>
    <Text size="sm" c="dimmed" maw="32rem">
      {children}
    </Text>
    {action && <div className={classes.action}>{action}</div>}
  </div>
)
