import { Group, Text, Title } from '@mantine/core'
import type { Icon } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './ways.module.css'

export type Way = {
  title: string
  icon: Icon
  /** When this is the right one. */
  about: ReactNode
  /** What follows from it. */
  more: ReactNode
  action: ReactNode
}

/** Ways to do something, side by side, with what speaks for each. */
export const Ways = ({ label, ways }: { label: string; ways: readonly Way[] }): ReactNode => (
  <ul className={classes.ways} aria-label={label}>
    {ways.map(({ title, icon: WayIcon, about, more, action }) => (
      <li key={title} className={classes.way}>
        <Group gap="xs" wrap="nowrap">
          <WayIcon size={20} stroke={1.6} aria-hidden />
          <Title order={2}>{title}</Title>
        </Group>
        <Text size="sm">{about}</Text>
        <Text size="sm" c="dimmed">
          {more}
        </Text>
        <div className={classes.action}>{action}</div>
      </li>
    ))}
  </ul>
)
