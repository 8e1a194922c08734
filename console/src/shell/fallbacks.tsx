import { Button, Loader } from '@mantine/core'
import { IconCompassOff } from '@tabler/icons-react'
import { type ErrorComponentProps, Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { EmptyNote } from '../parts/empty-note.tsx'
import { ErrorNote } from '../parts/error-note.tsx'
import { Page } from '../parts/page.tsx'

export const NotFound = (): ReactNode => (
  <Page title="Not found">
    <EmptyNote
      icon={IconCompassOff}
      title="Page not found"
      action={
        <Button component={Link} to="/" variant="default">
          Go to home
        </Button>
      }
    >
      The page may have been deleted, or the URL is wrong. Press Ctrl+K to search.
    </EmptyNote>
  </Page>
)

/** For unexpected errors of a page: shown in the page's place, with the error. */
export const Failed = ({ error, reset }: ErrorComponentProps): ReactNode => (
  <ErrorNote error={error} title="This page could not be shown" retry={reset} />
)

export const Waiting = (): ReactNode => (
  <div style={{ display: 'grid', placeContent: 'center', minHeight: '40vh' }}>
    <Loader aria-label="Loading" />
  </div>
)
