import { Button, Group } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useEffect } from 'react'
import { ErrorNote } from '../../parts/error-note.tsx'
import classes from './policy-page.module.css'

type SaveBarProps = {
  verb: string
  isPending: boolean
  isIncomplete: boolean
  error: unknown
  /** The title of the error, and the fields that show their own errors. */
  title: string
  shownElsewhere?: readonly string[]
  cancelTo: string
}

/** The end of a form that is a whole page. */
export function SaveBar({ verb, isPending, isIncomplete, cancelTo, ...note }: SaveBarProps): ReactNode {
  const { error } = note
  // The wrong field may be far above the button.
  useEffect(() => {
    if (error) document.querySelector('[data-wrong], [aria-invalid=true]')?.scrollIntoView({ block: 'center' })
  }, [error])
  return (
    <div className={classes.save}>
      <ErrorNote {...note} />
      <Group>
        <Button type="submit" loading={isPending} disabled={isIncomplete}>
          {verb}
        </Button>
        <Button component={Link} to={cancelTo} variant="default">
          Cancel
        </Button>
      </Group>
    </div>
  )
}
