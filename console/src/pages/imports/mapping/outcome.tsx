import { Alert, Anchor, Badge, Button, Group, Stack, Text } from '@mantine/core'
import { IconCircleCheck } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import type { Import, ImportUserChange } from '#client/api/types.ts'
import { counted } from '../../../parts/bulk/bulk-dialog.tsx'
import { Table } from '../../../parts/table.tsx'
import { Counts } from '../counts.tsx'
import type { Records } from './reader.ts'

const shownMax = 50
const fieldWords: Readonly<Record<string, string>> = {
  displayName: 'name',
  email: 'email address',
  emails: 'email addresses',
  username: 'username',
  usernames: 'usernames',
  employeeIds: 'employee number',
  jobTitle: 'job title',
  department: 'department',
  employmentType: 'employment type',
  employmentStatus: 'employment status',
  managerIds: 'manager',
  profile: 'profile',
}

// The list of addresses changes with the address, and is not worth two words.
const wordsFor = (fields: readonly string[]): string =>
  fields
    .filter(
      (field) =>
        field !== 'status' &&
        !(field === 'emails' && fields.includes('email')) &&
        !(field === 'usernames' && fields.includes('username')),
    )
    .map((field) => fieldWords[field] ?? field)
    .join(', ')

/** `3 people would be added, 2 changed`. */
function summaryOf({ counts, preview }: Import): string {
  const users = counts.find(({ kind }) => kind === 'user')
  if (!users) return ''
  const parts = [
    [users.added, 'new'],
    [users.changed, 'changed'],
    [users.unchanged, 'unchanged'],
    [users.removed, 'deleted'],
    [preview?.disabled ?? 0, 'disabled'],
    [preview?.enabled ?? 0, 'enabled again'],
  ] as const
  return parts
    .flatMap(([count, word]) => (Number(count) > 0 ? [`${Number(count).toLocaleString()} ${word}`] : []))
    .join(', ')
}

type OutcomeProps = { done: Import; records: Records; nameOfRow: (row: number) => string; left: number }

/** What the check of a file has found: what the import would do, person by person. */
export function Outcome({ done, records, nameOfRow, left }: OutcomeProps): ReactNode {
  const [shown, setShown] = useState(shownMax)
  const { preview } = done
  const changes = preview?.users ?? []
  const joined = preview?.joined ?? 0
  return (
    <Stack gap="sm">
      <Alert
        color="ink"
        icon={<IconCircleCheck size={18} aria-hidden />}
        title="Checked: nothing was saved yet"
        role="status"
      >
        {summaryOf(done) && <Text size="sm">People: {summaryOf(done)}.</Text>}
        {joined > 0 && (
          <Text size="sm">
            {counted(joined, 'row')} {joined === 1 ? 'has' : 'have'} the email address of a user who has another key or
            none, for example because they were added manually. {joined === 1 ? 'It describes' : 'They describe'} these
            users; nobody is added twice.
          </Text>
        )}
        {records.cleaned > 0 && (
          <Text size="sm">
            Line breaks and control characters were replaced by spaces in {counted(records.cleaned, 'cell')}.
          </Text>
        )}
        {left > 0 && <Text size="sm">{counted(left, 'row')} left out.</Text>}
      </Alert>
      {preview ? (
        changes.length > 0 && (
          <Table
            caption="What the import would change"
            rows={changes.slice(0, shown)}
            keyOf={({ line }) => String(line)}
            isPending={false}
            isStale={false}
            columns={[
              { header: 'Person', cell: ({ line }: ImportUserChange) => nameOfRow(records.lines[line - 1]?.row ?? 0) },
              { header: 'Change', width: '60%', cell: (change: ImportUserChange) => <Change change={change} /> },
            ]}
          />
        )
      ) : (
        <Counts counts={done.counts} caption="What the import would change" />
      )}
      {changes.length > shown && (
        <div>
          <Button variant="default" size="xs" onClick={() => setShown(shown + shownMax)}>
            Show more
          </Button>
        </div>
      )}
    </Stack>
  )
}

function Change({ change }: { change: ImportUserChange }): ReactNode {
  const fields = wordsFor(change.fields)
  return (
    <Group gap={6} component="span">
      {change.change === 'added' && <Badge component="span">New</Badge>}
      {change.isDisabled && (
        <Badge component="span" color="orange">
          Disabled
        </Badge>
      )}
      {change.isEnabled && (
        <Badge component="span" color="teal">
          Enabled
        </Badge>
      )}
      {change.isJoined && (
        <Badge component="span" color="blue">
          Same email address
        </Badge>
      )}
      {fields && <span>Changes: {fields}</span>}
    </Group>
  )
}

/** After an import of people: what usually follows. */
export const ImportedPeople = ({ done }: { done: Import }): ReactNode => (
  <Alert color="teal" icon={<IconCircleCheck size={18} aria-hidden />} title="Imported" role="status">
    <Text size="sm">
      {summaryOf(done) || 'Nothing changed'}.{' '}
      <Anchor component={Link} to="/users" size="sm">
        Open the users
      </Anchor>
      , where you can select some of them and invite them to sign in.
    </Text>
  </Alert>
)
