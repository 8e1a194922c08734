import { Code } from '@mantine/core'
import type { ReactNode } from 'react'
import type { AutomationFailure } from '#client/api/types.ts'
import { UserName } from '../../parts/user-name.tsx'
import classes from './failures.module.css'

/** Some of those for whom a rule failed, and why. */
export const Failures = ({ failures }: { failures: readonly AutomationFailure[] }): ReactNode =>
  failures.length > 0 && (
    <ul className={classes.failures}>
      {failures.map(({ userId, error }) => (
        <li key={userId}>
          <UserName userId={userId} /> <Code>{error}</Code>
        </li>
      ))}
    </ul>
  )
