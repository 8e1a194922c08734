import { Skeleton, Stack, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { appEntitlementsPlanAutomation, appEntitlementsRestoreAutomationVersion } from '#client/api/operations.ts'
import type { AutomationVersion } from '#client/api/types.ts'
import { read, useChange } from '../../client/queries.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { ErrorNote } from '../../parts/error-note.tsx'
import { isOutdated, OutdatedNote } from '../../parts/plan-groups.tsx'
import { ReasonField } from '../../parts/reason-field.tsx'
import { failingOf } from './examples.tsx'
import { afterRule, type Of, pathOf } from './reads.ts'
import { changeWords, people } from './words.ts'

type RestoreVersionProps = { of: Of; version: AutomationVersion; onClose: () => void; onDone: () => void }

const noExamples = { mustMatchUserIds: [], mustNotMatchUserIds: [] }

/** What restoring a version would do, then does exactly that. */
export function RestoreVersion({ of, version, onClose, onDone }: RestoreVersionProps): ReactNode {
  const client = useQueryClient()
  const [reason, setReason] = useState('')
  const { none, basic, cel, entitlements, examples } = version
  const asked = useQuery({
    ...read(appEntitlementsPlanAutomation, {
      path: pathOf(of),
      body: { automation: { none, basic, cel, entitlements, examples: examples ?? noExamples }, pageSize: 10 },
    }),
    staleTime: 0,
  })
  const restore = useChange(appEntitlementsRestoreAutomationVersion, {
    changes: afterRule,
    done: ({ run }) =>
      `Restored version ${version.version}. ${people(run?.gainedCount ?? 0)} added, ${people(run?.lostCount ?? 0)} removed.`,
    onDone,
  })
  const plan = asked.data
  const failing = failingOf(plan?.examples ?? [])
  const isStale = isOutdated(restore.error)
  return (
    <Confirm
      opened
      onClose={onClose}
      title={`Restore version ${version.version}?`}
      verb="Restore version"
      isReady={plan !== undefined && !asked.isFetching && failing.length === 0}
      isPending={restore.isPending}
      error={isStale ? null : restore.error}
      onConfirm={() =>
        restore.mutate(
          {
            path: { ...pathOf(of), version: String(version.version) },
            body: { fingerprint: plan?.fingerprint ?? '', reason: reason.trim() },
          },
          {
            onError: (error) => {
              if (isOutdated(error)) void client.invalidateQueries({ queryKey: [appEntitlementsPlanAutomation.id] })
            },
          },
        )
      }
    >
      <Stack gap="sm">
        <div>The rule is saved as a new version with the content of version {version.version} said.</div>
        {asked.error ? (
          <ErrorNote error={asked.error} title="The plan could not be loaded" retry={() => void asked.refetch()} />
        ) : plan ? (
          <Text size="sm" fw={600} aria-live="polite">
            {changeWords(plan.counts ?? { gain: 0, lose: 0 }) || 'Nobody is added or removed'}.
          </Text>
        ) : (
          <Skeleton height={20} width="60%" />
        )}
        {plan?.isMassGain && (
          <Text size="sm">
            This is a large change: the circuit breaker would hold a scheduled run that adds so many people.
          </Text>
        )}
        {failing.length > 0 && (
          <Text size="sm" c="red.8" role="alert">
            This version cannot be restored: it fails its example{failing.length > 1 ? 's' : ''}{' '}
            {failing.map(({ user, userId }) => user?.displayName || userId).join(', ')}.
          </Text>
        )}
        {isStale && (
          <OutdatedNote>
            Something has changed since this plan was created, so nothing was restored. The plan has been updated:
            review it, then restore again.
          </OutdatedNote>
        )}
        <ReasonField value={reason} onChange={setReason} />
      </Stack>
    </Confirm>
  )
}
