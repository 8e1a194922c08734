import { Button } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useAsOf } from '../parts/as-of.tsx'
import { useListState } from '../parts/list-state.ts'
import { Moment } from '../parts/moment.tsx'
import { usePageData } from '../parts/pages.ts'
import classes from './past-bar.module.css'

/**
 * Above every page while the reader looks at the past: the time, which parts of the page show that time, and a button to
 * return to now.
 */
export function PastBar(): ReactNode {
  const asOf = useAsOf()
  const { set } = useListState()
  const { past: history = 'none' } = usePageData()
  if (!asOf) return null
  return (
    <section className={classes.bar} aria-label="Viewing the past" data-history={history}>
      <IconHistory size={18} aria-hidden className={classes.icon} />
      <div className={classes.words}>
        <strong>
          You are viewing <Moment at={asOf} show="zoned" />
        </strong>
        <span>{words[history]}</span>
      </div>
      <Button size="compact-sm" variant="default" onClick={() => set({ as_of: '' })}>
        Return to now
      </Button>
    </section>
  )
}

const words = {
  whole:
    'Access and owners are shown as they were then. Names, status and attributes are current: their history is not kept.',
  compared: 'The comparison ends at this moment. Names, status and attributes are current.',
  none: 'This page has no history: it shows the current state.',
} as const
