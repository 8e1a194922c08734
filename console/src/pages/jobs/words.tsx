import { Badge } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Job } from '#client/api/types.ts'

export const nameOf = ({ title, kind }: Pick<Job, 'title' | 'kind'>): string => title || kind

const looks = {
  JOB_STATE_UNSPECIFIED: ['Unknown', 'gray'],
  JOB_STATE_WAITING: ['Waiting', 'gray'],
  JOB_STATE_RUNNING: ['Running', 'blue'],
  JOB_STATE_STUCK: ['Stuck', 'red'],
} as const

export function JobState({ state }: Pick<Job, 'state'>): ReactNode {
  const [label, color] = looks[state]
  return (
    <Badge component="span" color={color}>
      {label}
    </Badge>
  )
}
