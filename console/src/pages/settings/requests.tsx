import { Anchor, List, Skeleton, Switch, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { requestSettingsGet, requestSettingsUpdate, requestTermsGet } from '#client/api/operations.ts'
import { read, useChange } from '../../client/queries.ts'
import { useSession } from '../../client/session.ts'
import { ErrorNote } from '../../parts/error-note.tsx'
import { Panel } from '../../parts/panel.tsx'
import { SettingsPage } from './settings-page.tsx'

/** What holds for every request, and the way to what holds for some. */
export function RequestSettings(): ReactNode {
  return (
    <SettingsPage about="Settings for all access requests.">
      <Reasons />
      <Elsewhere />
    </SettingsPage>
  )
}

function Reasons(): ReactNode {
  const { may } = useSession()
  const { data, error, refetch } = useQuery(read(requestSettingsGet, {}))
  const update = useChange(requestSettingsUpdate, { changes: [requestSettingsGet, requestTermsGet], done: 'Saved' })
  return (
    <Panel title="Reasons">
      {error ? (
        <ErrorNote error={error} retry={() => void refetch()} />
      ) : data ? (
        <Switch
          label="Require a reason for every request"
          description="Applies to requests to grant and to revoke access. A form can hide the question."
          disabled={!may('terms.write') || update.isPending}
          checked={!data.requestSettings?.skipJustification}
          onChange={({ currentTarget: { checked } }) =>
            update.mutate({
              body: { requestSettings: { skipJustification: !checked }, updateMask: 'skipJustification' },
            })
          }
        />
      ) : (
        <Skeleton height={24} width="16rem" />
      )}
      <ErrorNote error={update.error} />
    </Panel>
  )
}

/** Settings that new administrators look for here, but that belong to other pages. */
function Elsewhere(): ReactNode {
  const { may } = useSession()
  const places = [
    ['profiles.read', '/profiles', 'Access profiles', 'what can be requested, and by whom'],
    ['policies.read', '/policies', 'Policies', 'who approves, and in which steps'],
    ['forms.read', '/forms', 'Forms', 'questions for requesters'],
    ['apps.read', '/apps', 'Apps', 'policies, routing rules and defaults of an app are on its Requests tab'],
  ] as const
  const open = places.filter(([permission]) => may(permission))
  if (open.length === 0) return null
  return (
    <Panel title="Related settings">
      <List size="sm" spacing={4}>
        {open.map(([, to, label, about]) => (
          <List.Item key={to}>
            <Anchor component={Link} to={to} size="sm" underline="always">
              {label}
            </Anchor>
            <Text span size="sm">
              : {about}
            </Text>
          </List.Item>
        ))}
      </List>
    </Panel>
  )
}
