import type { Icon } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Moment } from '../../parts/moment.tsx'
import { RelativeTime } from '../../parts/relative-time.tsx'
import classes from './rail.module.css'

export type Stop = {
  key: string
  is: 'done' | 'bad' | 'over' | 'current' | 'future'
  icon: Icon
  title: string
  /** Its state, for screen readers and for people who do not distinguish colours. */
  word: string
  people?: string
  at?: string | null
  more?: ReactNode
}

/** A route as a line: the steps that were taken, the one that is, and those still to come. */
export const Rail = ({ label, stops }: { label: string; stops: readonly Stop[] }): ReactNode => (
  <ol className={classes.rail} aria-label={label}>
    {stops.map(({ key, is, icon: Mark, title, word, people, at, more }, place) => (
      <li
        key={key}
        className={classes.stop}
        data-is={is}
        data-leads={stops[place + 1]?.is === 'future' ? 'future' : 'past'}
        {...(is === 'current' && { 'aria-current': 'step' })}
      >
        <span className={classes.mark} aria-hidden>
          <Mark size={15} stroke={2} />
        </span>
        <div>
          <p className={classes.title}>{title}</p>
          {(word || people || at) && (
            <p className={classes.line}>
              {word}
              {people && (
                <>
                  {word && ': '}
                  <span className={classes.people}>{people}</span>
                </>
              )}
              {at && (
                <>
                  {word || people ? ', ' : ''}
                  {is === 'current' ? (
                    <>
                      asked <RelativeTime at={at} />
                    </>
                  ) : (
                    <Moment at={at} />
                  )}
                </>
              )}
            </p>
          )}
          {more}
        </div>
      </li>
    ))}
  </ol>
)

/** A quiet line under a stop. */
export const Line = ({ children }: { children: ReactNode }): ReactNode => <p className={classes.line}>{children}</p>

/** A comment, or an error. */
export const Said = ({ children }: { children: string | undefined }): ReactNode =>
  children ? <p className={classes.said}>{children}</p> : null
