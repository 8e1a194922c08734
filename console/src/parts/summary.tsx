import type { ReactNode } from 'react'
import classes from './summary.module.css'

/** The few facts under the title of a page, on one or two lines. Those without a value are left out. */
export const Summary = ({ facts }: { facts: readonly (readonly [name: string, value: ReactNode])[] }): ReactNode => (
  <dl className={classes.summary}>
    {facts
      .filter(([, value]) => value !== null && value !== undefined && value !== '' && value !== false)
      .map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
  </dl>
)
