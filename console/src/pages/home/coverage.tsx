import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Panel } from '../../parts/panel.tsx'
import { coverageTitle, restWords } from '../covered/coverage-words.ts'
import { useCoverage } from '../covered/reads.ts'
import classes from './home.module.css'

/** What share of the access the apps confirm, for those who see all apps; nothing before there is access. */
export function Coverage(): ReactNode {
  const { data } = useCoverage()
  if (!data || data.grants === 0) return null
  const rest = restWords(data)
  return (
    <Panel
      title="Coverage"
      actions={
        <Anchor component={Link} to="/coverage" size="sm">
          What to do next
        </Anchor>
      }
    >
      <p className={classes.coverage}>
        <strong>{data.percent}%</strong> {coverageTitle(data).replace(/^\d+% /, '')}
      </p>
      {rest.length > 0 && <p className={classes.none}>The rest: {rest.join(', ')}.</p>}
    </Panel>
  )
}
