import { Alert, Button, Code, Group, List, Text } from '@mantine/core'
import { IconAlertTriangle, IconUsers } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { ApiError } from '#client/api-error.ts'
import { isSentForApproval } from '../client/problem.ts'

type ErrorNoteProps = {
  error: unknown
  /** What could not be done, as a short sentence. */
  title?: string
  retry?: () => void
  /** Fields of a form that show what is wrong with them themselves. */
  shownElsewhere?: readonly string[]
}

const violationsMax = 10
const idForm = / [0-9A-Za-z]{27}\b/
const withoutId = (message: string): string => message.replace(idForm, '').replace('There is no ', 'There is no such ')
const isOf = (field: string, of: string): boolean => field === of || field.startsWith(`${of}[`)

/** A refusal of the API is not a failure: its message contains what to do about it. */
const titleOf = (error: unknown): string =>
  error instanceof ApiError && error.status >= 400 && error.status < 500
    ? 'This cannot be done'
    : 'Something went wrong'

/** What went wrong, in the API's own words, with the id by which the server's log knows the request. */
export function ErrorNote({ error, title = titleOf(error), retry, shownElsewhere = [] }: ErrorNoteProps): ReactNode {
  if (!error) return null
  const { message } = error as Error
  if (isSentForApproval(error))
    return (
      <Alert
        color="blue"
        variant="light"
        title="Sent for approval"
        role="alert"
        icon={<IconUsers size={18} aria-hidden />}
      >
        <Text size="sm">{message}</Text>
        {error.metadata['numericId'] && (
          <Button component={Link} to={`/tasks/${error.metadata['numericId']}`} size="xs" variant="default" mt="xs">
            Open task #{error.metadata['numericId']}
          </Button>
        )}
      </Alert>
    )
  const { violations, requestId } = error instanceof ApiError ? error : { violations: [], requestId: '' }
  // To someone who follows an old link, or one to something that they may not see, the id in it is useless.
  const isMissing = error instanceof ApiError && error.status === 404 && idForm.test(message)
  const others = violations.filter(({ field }) => !shownElsewhere.some((of) => isOf(field, of)))
  if (violations.length > 0 && others.length === 0)
    return (
      <Text size="sm" c="var(--mantine-color-error)" role="alert">
        Not saved: fix the highlighted field.
      </Text>
    )
  return (
    <Alert color="red" variant="light" title={title} role="alert" icon={<IconAlertTriangle size={18} aria-hidden />}>
      <Text size="sm">
        {isMissing ? `${withoutId(message)} It may have been deleted, or you cannot see it.` : message}
      </Text>
      {others.length > 1 && (
        <List size="sm" mt="xs">
          {others.slice(0, violationsMax).map(({ field, description }) => (
            <List.Item key={`${field} ${description}`}>
              <Code>{field}</Code> {description}
            </List.Item>
          ))}
        </List>
      )}
      {(retry || requestId) && (
        <Group gap="sm" mt="xs">
          {retry && (
            <Button size="xs" variant="default" onClick={retry}>
              Try again
            </Button>
          )}
          {requestId && (
            <Text size="xs" c="dimmed">
              Request <Code>{requestId}</Code>
            </Text>
          )}
        </Group>
      )}
    </Alert>
  )
}
