import { Anchor, Button, Text } from '@mantine/core'
import { IconForms, IconPlus } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { requestSchemaSearch } from '#client/api/operations.ts'
import { useSession } from '../../client/session.ts'
import { DataList } from '../../parts/data-list.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Named } from '../../parts/named.tsx'
import { Page } from '../../parts/page.tsx'
import { counted } from '../tasks/words.ts'

/** Every form that requesters fill in. */
export function Forms(): ReactNode {
  const { may } = useSession()
  const create = may('forms.write') && (
    <Button component={Link} to="/forms/new" leftSection={<IconPlus size={16} aria-hidden />}>
      Create form
    </Button>
  )
  return (
    <Page
      about="Questions that requesters answer. A form is set for an entitlement, by a routing rule, or by the defaults of an app."
      actions={create}
    >
      <DataList
        caption="Forms"
        operation={requestSchemaSearch}
        input={({ query, pageSize, pageToken }) => ({ body: { query, pageSize, pageToken } })}
        rows={({ list }) => list}
        keyOf={({ id }) => id}
        search="Search forms"
        columns={[
          {
            header: 'Form',
            cell: ({ id, form }) => (
              <Named label={form?.displayName ?? id} to={`/forms/${id}`} about={form?.description} />
            ),
          },
          { header: 'Questions', width: '10rem', cell: ({ form }) => counted(form?.fields.length ?? 0, 'question') },
          { header: 'Changed', width: '9rem', cell: ({ modifiedAt }) => <Moment at={modifiedAt} show="day" /> },
        ]}
        empty={{
          icon: IconForms,
          title: 'No forms yet',
          children: 'Create one to ask requesters more than a reason.',
          action: create,
        }}
      />
      {may('terms.read') && (
        <Text size="sm" c="dimmed" mt="md">
          To require a reason for every request, open{' '}
          <Anchor component={Link} to="/settings/requests" size="sm" underline="always">
            Settings
          </Anchor>
          .
        </Text>
      )}
    </Page>
  )
}
