import { Button, Switch } from '@mantine/core'
import { IconForms, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import {
  requestSchemaSearch,
  requestSettingsGet,
  requestSettingsUpdate,
  requestTermsGet,
} from '../../api/operations.ts'
import { read, useChange } from '../../client/queries.ts'
import { useSession } from '../../client/session.ts'
import { DataList } from '../../parts/data-list.tsx'
import { ErrorNote } from '../../parts/error-note.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Named } from '../../parts/named.tsx'
import { Page } from '../../parts/page.tsx'
import { Panel } from '../../parts/panel.tsx'
import { counted } from '../tasks/words.ts'

/** Every form that requesters fill in. */
export function Forms(): ReactNode {
  const { may } = useSession()
  const create = may('forms.write') && (
    <Button component={Link} to="/forms/new" leftSection={<IconPlus size={16} aria-hidden />}>
      New form
    </Button>
  )
  return (
    <Page
      title="Forms"
      about="What requesters are asked. A form is chosen for an entitlement, by a routing rule or by the defaults of an app."
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
      {may('terms.read') && <ReasonSetting isReadOnly={!may('terms.write')} />}
    </Page>
  )
}

/** Whether every request has to say why. */
function ReasonSetting({ isReadOnly }: { isReadOnly: boolean }): ReactNode {
  const { data } = useQuery(read(requestSettingsGet, {}))
  const update = useChange(requestSettingsUpdate, { changes: [requestSettingsGet, requestTermsGet], done: 'Saved' })
  if (!data) return null
  return (
    <div style={{ marginTop: '1.25rem' }}>
      <Panel title="Reasons">
        <Switch
          label="Every request needs a reason"
          description="Unless its form does not ask for one."
          disabled={isReadOnly || update.isPending}
          checked={!data.requestSettings?.skipJustification}
          onChange={({ currentTarget: { checked } }) =>
            update.mutate({
              body: { requestSettings: { skipJustification: !checked }, updateMask: 'skipJustification' },
            })
          }
        />
        <ErrorNote error={update.error} />
      </Panel>
    </div>
  )
}
