import { Button, Group, NativeSelect, Skeleton, Stack, Text, Title } from '@mantine/core'
import { IconRestore } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import {
  appEntitlementsCompareAutomationVersions,
  appEntitlementsListAutomationVersions,
} from '#client/api/operations.ts'
import type { AutomationVersion, CompareAutomationVersionsResponse } from '#client/api/types.ts'
import { read } from '../../client/queries.ts'
import { SidePanel } from '../../parts/dialog.tsx'
import { ErrorNote } from '../../parts/error-note.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Named } from '../../parts/named.tsx'
import { PlanNote, PlanRows } from '../../parts/plan-groups.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { UserName } from '../../parts/user-name.tsx'
import { type Of, pathOf } from './reads.ts'
import { RestoreVersion } from './restore-version.tsx'
import { VersionDiff } from './version-diff.tsx'
import { people } from './words.ts'

type VersionDrawerProps = {
  of: Of
  version: AutomationVersion | null
  /** The number of the version that the rule is now; 0 where there is none. */
  current: number
  isDeleted: boolean
  mayChange: boolean
  onClose: () => void
}

/** One version of a rule: its condition, its differences from another version, and whom each of them matches. */
export function VersionDrawer({ version, onClose, ...props }: VersionDrawerProps): ReactNode {
  // The words stay while the drawer closes.
  const last = useRef(version)
  if (version) last.current = version
  const shown = last.current
  return (
    <SidePanel
      opened={version !== null}
      onClose={onClose}
      title={shown ? `Version ${shown.version}` : 'Version'}
      size="44rem"
    >
      {shown && <OneVersion key={shown.version} {...props} version={shown} onClose={onClose} />}
    </SidePanel>
  )
}

type OneVersionProps = Omit<VersionDrawerProps, 'version'> & { version: AutomationVersion }

function OneVersion({ of, version, current, isDeleted, mayChange, onClose }: OneVersionProps): ReactNode {
  const [isRestoring, setRestoring] = useState(false)
  const { data } = useQuery(
    read(appEntitlementsListAutomationVersions, { path: pathOf(of), query: { page_size: 100 } }),
  )
  const others = (data?.list ?? []).filter((each) => each.version !== version.version)
  // With what the rule is now; that itself, with what it was before.
  const usual = version.version === current ? (others[0]?.version ?? 0) : current || (others[0]?.version ?? 0)
  const [chosen, setChosen] = useState<number | null>(null)
  const other = chosen ?? usual
  return (
    <Stack gap="lg">
      <Facts
        facts={[
          ['Saved', <Moment key="at" at={version.savedAt} show="exact" />],
          ['Saved by', version.savedByUserId && <UserName key="by" userId={version.savedByUserId} />],
          ['Reason', version.reason],
          ['Restores', version.restoresVersion > 0 && `Version ${version.restoresVersion}`],
          ['Name of the rule', version.displayName],
        ]}
      />
      {mayChange && (version.version !== current || isDeleted) && (
        <Group>
          <Button leftSection={<IconRestore size={16} aria-hidden />} onClick={() => setRestoring(true)}>
            Restore this version
          </Button>
        </Group>
      )}
      {other > 0 && (
        <section>
          <Group justify="space-between" align="flex-end" mb="sm">
            <Title order={3}>Differences</Title>
            <NativeSelect
              size="xs"
              label="Compare with"
              data={others.map((each) => ({
                value: String(each.version),
                label: `Version ${each.version}${each.version === current ? ' (current)' : ''}`,
              }))}
              value={String(other)}
              onChange={({ currentTarget }) => setChosen(Number(currentTarget.value))}
            />
          </Group>
          <Comparison of={of} older={Math.min(version.version, other)} newer={Math.max(version.version, other)} />
        </section>
      )}
      {isRestoring && (
        <RestoreVersion
          of={of}
          version={version}
          onClose={() => setRestoring(false)}
          onDone={() => {
            setRestoring(false)
            onClose()
          }}
        />
      )}
    </Stack>
  )
}

const pageSize = 10

/** From the older one to the newer one, as it was written. */
function Comparison({ of, older, newer }: { of: Of; older: number; newer: number }): ReactNode {
  const about = `${older} ${newer}`
  const [pages, setPages] = useState<{ about: string; tokens: readonly string[] }>({ about, tokens: [] })
  const tokens = pages.about === about ? pages.tokens : []
  const { data, error, isPlaceholderData, refetch } = useQuery({
    ...read(appEntitlementsCompareAutomationVersions, {
      path: { ...pathOf(of), version: String(older) },
      body: { toVersion: newer, pageSize, pageToken: tokens.at(-1) ?? '' },
    }),
    placeholderData: keepPreviousData,
  })
  if (error) return <ErrorNote error={error} title="The versions could not be compared" retry={() => void refetch()} />
  if (!data) return <Skeleton height={160} />
  return (
    <Stack gap="lg">
      <Text size="sm" c="dimmed">
        From version {older} to version {newer}.
      </Text>
      <VersionDiff differences={data.differences} />
      <section>
        <Title order={3} mb="xs">
          Who matches now
        </Title>
        {data.matches ? (
          <Matches compared={data} older={older} newer={newer} />
        ) : (
          <Text size="sm">This cannot be determined: {data.matchesError}</Text>
        )}
        {data.list.length > 0 && (
          <PlanRows
            isLater={tokens.length > 0}
            next={!isPlaceholderData && data.nextPageToken !== ''}
            back={() => setPages({ about, tokens: tokens.slice(0, -1) })}
            forth={() => setPages({ about, tokens: [...tokens, data.nextPageToken] })}
          >
            <Table
              caption="People whom only one of the two versions matches"
              columns={columnsOf(older, newer)}
              rows={data.list}
              keyOf={({ userId }) => userId}
              isPending={false}
              isStale={isPlaceholderData}
            />
          </PlanRows>
        )}
      </section>
    </Stack>
  )
}

type MatchesProps = { compared: CompareAutomationVersionsResponse; older: number; newer: number }

function Matches({ compared: { matches, boundedCounts }, older, newer }: MatchesProps): ReactNode {
  if (!matches) return null
  const told = (count: 'both' | 'onlyFrom' | 'onlyTo'): string =>
    `${boundedCounts.includes(count) ? 'at most ' : ''}${people(matches[count])}`
  return (
    <>
      <Facts
        facts={[
          ['Both versions match', told('both')],
          [`Only version ${older} matches`, told('onlyFrom')],
          [`Only version ${newer} matches`, told('onlyTo')],
        ]}
      />
      {matches.onlyFrom + matches.onlyTo === 0 && <PlanNote>Both versions match the same people.</PlanNote>}
    </>
  )
}

type Differing = CompareAutomationVersionsResponse['list'][number]

const columnsOf = (older: number, newer: number): readonly Column<Differing>[] => [
  {
    header: 'Person',
    cell: ({ user, userId }) => (
      <Named label={user?.displayName || user?.email || userId} to={`/users/${userId}`} about={user?.email} />
    ),
  },
  { header: 'Matched by', width: '10rem', cell: ({ isFrom }) => `Version ${isFrom ? older : newer}` },
]
