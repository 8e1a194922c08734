import { Anchor, List, Skeleton, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { CoverageNext, GetCoverageResponse } from '#client/api/types.ts'
import { AppEnforcementBadge } from '../../parts/enforcement.tsx'
import { ErrorNote } from '../../parts/error-note.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Named } from '../../parts/named.tsx'
import { Page } from '../../parts/page.tsx'
import { PageLink } from '../../parts/page-link.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Table } from '../../parts/table.tsx'
import { coverageTitle, remedies } from './coverage-words.ts'
import { useCoverage } from './reads.ts'

/** What share of the access the apps confirm, and what would add most. */
export function CoveragePage(): ReactNode {
  const { data, error, refetch } = useCoverage()
  return (
    <Page
      above={[{ label: 'Home', to: '/' }]}
      about="How much of the current access is carried out in the apps, and confirmed by them."
    >
      {error ? (
        <ErrorNote error={error} title="Coverage could not be loaded" retry={() => void refetch()} />
      ) : data ? (
        <>
          <Shares of={data} />
          <WhatNext next={data.next} />
        </>
      ) : (
        <Skeleton height="12rem" />
      )}
    </Page>
  )
}

const Shares = ({ of }: { of: GetCoverageResponse }): ReactNode => (
  <Panel
    title={coverageTitle(of)}
    about={`${of.grants.toLocaleString()} accounts with an entitlement, each counted once.`}
  >
    <Facts
      facts={[
        ['Confirmed', <Share key="c" count={of.confirmed} about="by a connector that syncs, or a webhook" />],
        ['Unreliable', <Share key="u" count={of.unreliable} about="by a connector that does not sync" />],
        ['People', <Share key="p" count={of.people} about="people get tasks" />],
        ['Records only', <Share key="n" count={of.nobody} about="nobody is asked" />],
      ]}
    />
  </Panel>
)

const Share = ({ count, about }: { count: number; about: string }): ReactNode => (
  <Named isQuiet label={count.toLocaleString()} about={about} />
)

const WhatNext = ({ next }: { next: readonly CoverageNext[] }): ReactNode => (
  <Panel title="What to do next" about="The apps with the most access that they do not confirm.">
    {next.length === 0 ? (
      <Text size="sm">Nothing: every app confirms its access.</Text>
    ) : (
      <Table
        caption="Apps with the most access that they do not confirm"
        rows={next}
        keyOf={({ appId }) => appId}
        isPending={false}
        isStale={false}
        columns={[
          {
            header: 'App',
            cell: ({ appId, appDisplayName }) => <Named label={appDisplayName || appId} to={`/apps/${appId}`} />,
          },
          { header: 'Enforcement', width: '22%', cell: ({ state }) => <AppEnforcementBadge state={state} /> },
          { header: 'Not confirmed', width: '9rem', isNumber: true, cell: ({ grants }) => grants.toLocaleString() },
          { header: 'What to do', width: '30%', cell: (each) => <WhatToDo of={each} /> },
        ]}
      />
    )}
  </Panel>
)

const WhatToDo = ({ of: { appId, appDisplayName, whatToDo } }: { of: CoverageNext }): ReactNode => (
  <List size="sm" listStyleType="none">
    {whatToDo.map((each) => {
      const remedy = remedies[each]
      return (
        remedy && (
          <List.Item key={each}>
            <Anchor
              component={PageLink}
              to={`/apps/${appId}/${remedy.tab}`}
              size="sm"
              aria-label={`${remedy.label}: ${appDisplayName}`}
            >
              {remedy.label}
            </Anchor>
          </List.Item>
        )
      )
    })}
  </List>
)
