import { Alert, Button, Skeleton } from '@mantine/core'
import { IconRefreshAlert } from '@tabler/icons-react'
import { type ReactNode, useId } from 'react'
import { ApiError } from '#client/api-error.ts'
import classes from './plan-groups.module.css'

type PlanGroup<Key extends string> = {
  key: Key
  /** How many; null while it is worked out. */
  count: number | null
  /** Written before the number, as in “At most 12”. */
  mark?: string
  label: string
  tone?: 'good' | 'bad' | 'other'
}

type PlanGroupsProps<Key extends string> = {
  /** What the choice is of, for those who do not see it. */
  label: string
  groups: readonly PlanGroup<Key>[]
  chosen: Key
  onChoose: (key: Key) => void
  isBusy: boolean
}

/** The size of each group of a plan; one group is shown. */
export function PlanGroups<Key extends string>(props: PlanGroupsProps<Key>): ReactNode {
  const name = useId()
  return (
    <fieldset className={classes.groups} data-many={props.groups.length > 4} aria-busy={props.isBusy}>
      <legend className={classes.unseen}>{props.label}</legend>
      {props.groups.map(({ key, count, mark = '', label, tone }) => (
        <label key={key} className={classes.group} data-tone={tone} data-none={count === 0}>
          <input
            type="radio"
            name={name}
            className={classes.unseen}
            checked={props.chosen === key}
            onChange={() => props.onChoose(key)}
          />
          <span className={classes.count}>
            {count === null ? (
              <Skeleton component="span" display="inline-block" width="2rem" height="1.25rem" />
            ) : (
              `${mark}${count.toLocaleString()}`
            )}
          </span>{' '}
          <span className={classes.label}>{label}</span>
        </label>
      ))}
    </fieldset>
  )
}

type PlanRowsProps = {
  children: ReactNode
  /** Below the table, in quiet words. */
  note?: ReactNode
  isLater: boolean
  next: boolean
  back: () => void
  forth: () => void
}

/** The rows of one group, a page at a time. */
export const PlanRows = ({ children, note, isLater, next, back, forth }: PlanRowsProps): ReactNode => (
  <div className={classes.people}>
    {children}
    {note && <PlanNote>{note}</PlanNote>}
    {(next || isLater) && (
      <nav className={classes.pager} aria-label="Pages of the plan">
        <Button size="xs" variant="default" disabled={!isLater} onClick={back}>
          Previous
        </Button>
        <Button size="xs" variant="default" disabled={!next} onClick={forth}>
          Next
        </Button>
      </nav>
    )}
  </div>
)

export const PlanNote = ({ children }: { children: ReactNode }): ReactNode => (
  <p className={classes.nobody}>{children}</p>
)

export const isOutdated = (error: unknown): boolean => error instanceof ApiError && error.reason === 'PLAN_OUTDATED'

/** In place of the refusal of a plan that is outdated. */
export const OutdatedNote = ({ children }: { children: ReactNode }): ReactNode => (
  <Alert color="orange" role="alert" title="The plan has changed" icon={<IconRefreshAlert size={18} aria-hidden />}>
    {children}
  </Alert>
)
