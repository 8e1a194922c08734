import { Skeleton } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { Children, type ReactNode } from 'react'
import { ErrorNote } from '../../parts/error-note.tsx'
import classes from './home.module.css'

type SectionProps<Reply> = {
  query: Pick<UseQueryResult<Reply>, 'data' | 'error' | 'refetch'>
  /** The text if there is nothing. */
  nothing: ReactNode
  children: (reply: Reply) => readonly ReactNode[]
  className?: string | undefined
}

const skeletons = ['70%', '55%', '62%']

/** A few things of a list, as items: the rest is on a separate page. */
export function Section<Reply>({ query, nothing, children, className }: SectionProps<Reply>): ReactNode {
  if (query.error) return <ErrorNote error={query.error} retry={() => void query.refetch()} />
  if (query.data === undefined) return skeletons.map((width) => <Skeleton key={width} width={width} my={14} />)
  const items = children(query.data)
  if (Children.count(items) === 0) return <p className={classes.none}>{nothing}</p>
  return <ul className={className ?? classes.items}>{items}</ul>
}
