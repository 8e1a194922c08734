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
  /** What the error is called, and the fields that show their own. */
  title: string
  shownElsewhere?: readonly string[]
  cancelTo: string
}

/** The end of a form that is a page of its own. */
export function SaveBar({ verb, isPending, isIncomplete, cancelTo, ...note }: SaveBarProps): ReactNode {
  const { error } = note
  // What is wrong may lie far above the button.
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
