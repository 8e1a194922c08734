import { Anchor, Button, Code, Text } from '@mantine/core'
import { IconLock } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { EmptyNote } from '../parts/empty-note.tsx'
import { Page } from '../parts/page.tsx'
import { useDestinations } from '../parts/pages.ts'

/** In place of a page that the caller's roles do not include: what it takes, and where they can go instead. */
export function NotForYou({ permission }: { permission: string }): ReactNode {
  const pages = useDestinations().filter(({ to }) => to !== '/')
  return (
    <Page title="You cannot see this page">
      <EmptyNote
        icon={IconLock}
        title="Your roles do not include this page"
        action={
          <Button component={Link} to="/" variant="default">
            Go to the home page
          </Button>
        }
      >
        It requires the permission <Code>{permission}</Code>. If you need it for your work, ask an administrator for a
        role with this permission.
        {pages.length > 0 && (
          <Text component="span" size="sm" display="block" mt="xs">
            You can open{' '}
            {pages.map(({ label, to }, place) => (
              <span key={to}>
                {place > 0 && (place === pages.length - 1 ? ' and ' : ', ')}
                <Anchor component={Link} to={to} size="sm" underline="always">
                  {label}
                </Anchor>
              </span>
            ))}
            .
          </Text>
        )}
      </EmptyNote>
    </Page>
  )
}
