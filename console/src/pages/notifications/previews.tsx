import { NativeSelect, SegmentedControl, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { notificationsGetPreview, notificationsListPreviews } from '#client/api/operations.ts'
import { read } from '../../client/queries.ts'
import { ErrorNote } from '../../parts/error-note.tsx'
import { Panel } from '../../parts/panel.tsx'
import { SettingsPage } from '../settings/settings-page.tsx'
import classes from './previews.module.css'

/** Every email that is sent, with sample data. */
export function Previews(): ReactNode {
  const { data, error, refetch } = useQuery(read(notificationsListPreviews, {}))
  const [chosen, setChosen] = useState('')
  const name = chosen || data?.list[0]?.name || ''
  return (
    <SettingsPage about="What each email looks like, with sample data.">
      {error && <ErrorNote error={error} title="The previews cannot be shown" retry={() => void refetch()} />}
      {data ? (
        <Panel>
          <Stack>
            <NativeSelect
              label="Email"
              maw={560}
              value={name}
              data={data.list.map((each) => ({ value: each.name, label: each.subject }))}
              onChange={({ currentTarget: { value } }) => setChosen(value)}
            />
            <Preview key={name} name={name} />
          </Stack>
        </Panel>
      ) : (
        !error && <Skeleton height={400} />
      )}
    </SettingsPage>
  )
}

function Preview({ name }: { name: string }): ReactNode {
  const [form, setForm] = useState('html')
  const { data, error, refetch } = useQuery(read(notificationsGetPreview, { path: { name } }))
  if (error) return <ErrorNote error={error} retry={() => void refetch()} />
  if (!data) return <Skeleton height={400} />
  return (
    <>
      <SegmentedControl
        aria-label="Form"
        style={{ alignSelf: 'start' }}
        value={form}
        onChange={setForm}
        data={[
          { value: 'html', label: 'HTML' },
          { value: 'text', label: 'Text' },
        ]}
      />
      <Text size="sm">Subject: {data.subject}</Text>
      {form === 'html' ? (
        <iframe
          className={classes.frame}
          title={`Email: ${data.subject}`}
          sandbox="allow-popups allow-popups-to-escape-sandbox"
          src={`/api/v1/settings/notifications/previews/${encodeURIComponent(name)}`}
        />
      ) : (
        <pre className={classes.text}>{data.text}</pre>
      )}
    </>
  )
}
