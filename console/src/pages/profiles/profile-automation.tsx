import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import {
  requestCatalogManagementCreateBundleAutomation,
  requestCatalogManagementDeleteBundleAutomation,
  requestCatalogManagementForceRunBundleAutomation,
  requestCatalogManagementGetBundleAutomation,
  requestCatalogManagementResumePausedBundleAutomation,
  requestCatalogManagementSetBundleAutomation,
} from '#client/api/operations.ts'
import type { BundleAutomation } from '#client/api/types.ts'
import { ApiError } from '#client/api-error.ts'
import { read, useChange } from '../../client/queries.ts'
import { useSession } from '../../client/session.ts'
import { ErrorNote } from '../../parts/error-note.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Summary } from '../../parts/summary.tsx'
import { bodyOf, Criteria, type Draft, draftOf, Limits } from './automation-fields.tsx'
import { profileReads } from './profile-form.tsx'
import { ProfilePage, useProfile } from './profile-page.tsx'

/** Automatic membership. */
export function ProfileAutomation(): ReactNode {
  const { profileId } = useProfile()
  const { data, error, isPending, refetch } = useQuery({
    ...read(requestCatalogManagementGetBundleAutomation, { path: { request_catalog_id: profileId } }),
    retry: false,
  })
  const isNone = error instanceof ApiError && error.status === 404
  return (
    <ProfilePage>
      {error && !isNone ? (
        <ErrorNote error={error} title="The automation could not be loaded" retry={() => void refetch()} />
      ) : (
        !isPending && (
          <Editor key={data?.updatedAt ?? 'none'} profileId={profileId} automation={isNone ? null : (data ?? null)} />
        )
      )}
    </ProfilePage>
  )
}

const changes = [...profileReads, requestCatalogManagementGetBundleAutomation]

const statuses: Readonly<Record<string, string>> = {
  SUCCESS: 'Succeeded',
  FAILURE: 'Failed',
  IN_PROGRESS: 'Running',
  WAITING_FOR_APPROVAL: 'Held for confirmation',
}

/** What can be done with the automation of a profile. */
function useAutomation(profileId: string, automation: BundleAutomation | null) {
  const path = { request_catalog_id: profileId }
  const create = useChange(requestCatalogManagementCreateBundleAutomation, { changes, done: 'Saved' })
  const update = useChange(requestCatalogManagementSetBundleAutomation, { changes, done: 'Saved' })
  const remove = useChange(requestCatalogManagementDeleteBundleAutomation, { changes, done: 'Deleted the automation' })
  const run = useChange(requestCatalogManagementForceRunBundleAutomation, { changes, done: 'Started' })
  const resume = useChange(requestCatalogManagementResumePausedBundleAutomation, { changes, done: 'Resumed' })
  const { error: formError, isPending, mutate } = automation ? update : create
  return {
    save: (draft: Draft): void => mutate({ path, body: bodyOf(draft) }),
    run: { start: () => run.mutate({ path }), isPending: run.isPending },
    remove: { start: () => remove.mutate({ path }), isPending: remove.isPending },
    resume: { start: () => resume.mutate({ path }), isPending: resume.isPending },
    isPending,
    /** Of the fields, and of anything. */
    formError,
    error: formError ?? run.error ?? remove.error ?? resume.error,
  }
}

function Editor({ profileId, automation }: { profileId: string; automation: BundleAutomation | null }): ReactNode {
  const { may } = useSession()
  const isReadOnly = !may('profiles.write')
  const [draft, setDraft] = useState(() => draftOf(automation))
  const set = (changed: Partial<Draft>): void => setDraft((before) => ({ ...before, ...changed }))
  const { save, run, remove, resume, isPending, error, formError } = useAutomation(profileId, automation)
  const isHeld = automation?.circuitBreaker?.state === 'CIRCUIT_BREAKER_STATE_TRIGGERED'
  return (
    <>
      {isHeld && <HeldRun isPending={resume.isPending} onResume={isReadOnly ? null : resume.start} />}
      <Panel
        title="Automatic membership"
        about="People are added and removed automatically when their data changes."
        actions={
          automation &&
          !isReadOnly && (
            <Group gap="xs">
              <Button size="xs" variant="default" loading={run.isPending} onClick={run.start}>
                Run now
              </Button>
              <Button size="xs" variant="default" loading={remove.isPending} onClick={remove.start}>
                Delete automation
              </Button>
            </Group>
          )
        }
      >
        {automation?.state && (
          <Summary
            facts={[
              ['Last run', statuses[automation.state.status.replace('BUNDLE_AUTOMATION_RUN_STATUS_', '')] ?? 'Not yet'],
              ['At', automation.state.lastRunAt && <Moment key="at" at={automation.state.lastRunAt} />],
              ['Error', automation.state.errorMessage],
            ]}
          />
        )}
        <form
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            save(draft)
          }}
        >
          <Stack>
            <Criteria draft={draft} onChange={set} isReadOnly={isReadOnly} error={formError} />
            <Limits draft={draft} onChange={set} isReadOnly={isReadOnly} error={formError} />
            <ErrorNote
              error={error}
              shownElsewhere={['cel.expression', 'entitlements', 'removedMembersThresholdPercent']}
            />
            {isReadOnly ? (
              !automation && (
                <Text size="sm" c="dimmed">
                  No automation: people become members by request.
                </Text>
              )
            ) : (
              <Group>
                <Button
                  type="submit"
                  loading={isPending}
                  disabled={draft.isByHolding ? draft.refs.length === 0 : draft.expression.trim() === ''}
                >
                  {automation ? 'Save' : 'Create automation'}
                </Button>
              </Group>
            )}
          </Stack>
        </form>
      </Panel>
    </>
  )
}

const HeldRun = ({ isPending, onResume }: { isPending: boolean; onResume: (() => void) | null }): ReactNode => (
  <Alert color="orange" mb="md" title="The last run is held" icon={<IconAlertTriangle size={18} aria-hidden />}>
    It would remove more members than the limit allows. Nothing was changed.
    {onResume && (
      <Group mt="xs">
        <Button size="xs" loading={isPending} onClick={onResume}>
          Resume
        </Button>
      </Group>
    )}
  </Alert>
)
