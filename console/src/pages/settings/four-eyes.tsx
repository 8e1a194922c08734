import { Button, Group, Select, Skeleton, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { fourEyesList, fourEyesSet, policySearch } from '#client/api/operations.ts'
import type { Policy, PolicySteps } from '#client/api/types.ts'
import type { ReplyOf } from '#client/operation.ts'
import { problemOf } from '../../client/problem.ts'
import { read, useChange } from '../../client/queries.ts'
import { useSession } from '../../client/session.ts'
import { ErrorNote } from '../../parts/error-note.tsx'
import { Panel } from '../../parts/panel.tsx'
import { SettingsPage } from './settings-page.tsx'

type Rule = ReplyOf<typeof fourEyesList>['list'][number]

/** Which changes need the approval of a second person. */
export function FourEyesPage(): ReactNode {
  const { data, error, refetch } = useQuery(read(fourEyesList, {}))
  return (
    <SettingsPage about="Changes that a second person must approve. The change is applied when its task is approved. Turning this off requires approval, too.">
      {error && <ErrorNote error={error} title="This cannot be shown" retry={() => void refetch()} />}
      {data ? (
        data.list.map((rule) => <Kind key={`${rule.kind} ${rule.policyId}`} rule={rule} />)
      ) : (
        <Skeleton height={280} />
      )}
    </SettingsPage>
  )
}

const none = 'none'
/** How deep policies refer to each other at most. */
const hopsMax = 5

/** Whether a person approves every change by it: the API refuses others. */
function isFit(policy: Policy | undefined, all: readonly Policy[], hops = 0): boolean {
  if (!policy || policy.rules.length > 0 || hops > hopsMax) return false
  const lists = Object.values((policy.policySteps ?? {}) as Record<string, PolicySteps>)
  if (lists.some(({ steps }) => !steps.some(({ approval }) => approval))) return false
  const { baselinePolicyId: other } = policy
  return (
    other === '' ||
    isFit(
      all.find(({ id }) => id === other),
      all,
      hops + 1,
    )
  )
}

function Kind({ rule }: { rule: Rule }): ReactNode {
  const { may } = useSession()
  const [wanted, setWanted] = useState(rule.required ? rule.policyId : none)
  const found = useQuery({
    ...read(policySearch, { body: { policyTypes: ['POLICY_TYPE_GRANT'], pageSize: 100 } }),
    enabled: may('policies.read'),
  })
  const save = useChange(fourEyesSet, { changes: [fourEyesList], done: 'Saved' })
  const all = found.data?.list ?? []
  // The one in use is shown, whatever has become of it.
  const policies = all
    .filter((policy) => policy.id === rule.policyId || isFit(policy, all))
    .map(({ id, displayName }) => ({ value: id, label: displayName }))
  const isKnown = wanted === none || policies.some(({ value }) => value === wanted)
  return (
    <Panel title={rule.displayName}>
      <Stack maw={560}>
        <Select
          label="Approved by"
          allowDeselect={false}
          searchable
          disabled={!may('four-eyes.write')}
          data={[
            { value: none, label: 'No approval needed' },
            ...policies,
            ...(isKnown ? [] : [{ value: wanted, label: wanted }]),
          ]}
          value={wanted}
          onChange={(value) => setWanted(value ?? none)}
          error={problemOf(save.error, 'policyId')}
        />
        <ErrorNote error={save.error} shownElsewhere={['policyId']} />
        {may('four-eyes.write') && (
          <Group>
            <Button
              aria-label={`Save: ${rule.displayName}`}
              loading={save.isPending}
              disabled={wanted === (rule.required ? rule.policyId : none)}
              onClick={() =>
                save.mutate({
                  path: { kind: rule.kind },
                  body: wanted === none ? { required: false } : { required: true, policyId: wanted },
                })
              }
            >
              Save
            </Button>
          </Group>
        )}
      </Stack>
    </Panel>
  )
}
