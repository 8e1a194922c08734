import { Anchor, SegmentedControl, Skeleton, Text } from '@mantine/core'
import { IconRouteOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { accessPathsFind } from '#client/api/operations.ts'
import type { AccessPathEdge } from '#client/api/types.ts'
import { read } from '../../client/queries.ts'
import { useAsOf } from '../../parts/as-of.tsx'
import { EmptyNote } from '../../parts/empty-note.tsx'
import { ErrorNote } from '../../parts/error-note.tsx'
import { Giver, sourceWords } from '../../parts/giver.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Panel } from '../../parts/panel.tsx'
import { type Branch, branchesOf, kindWords, placeOf } from './layout.ts'
import classes from './path-graph.module.css'
import { PathGraph } from './path-graph.tsx'

export type PathTarget =
  | { appId: string; appEntitlementId: string }
  | { appId: string; appResourceTypeId: string; appResourceId: string }

const queryOf = (target: PathTarget) =>
  'appEntitlementId' in target
    ? { app_id: target.appId, app_entitlement_id: target.appEntitlementId }
    : {
        app_id: target.appId,
        app_resource_type_id: target.appResourceTypeId,
        app_resource_id: target.appResourceId,
      }

type PathsPanelProps = { userId: string; target: PathTarget }

/** How a person reaches an entitlement or a resource: as a graph, or as a list with the same content. */
export function PathsPanel({ userId, target }: PathsPanelProps): ReactNode {
  const [view, setView] = useState('graph')
  const asOf = useAsOf()
  const { data, error, refetch } = useQuery(
    read(accessPathsFind, { path: { user_id: userId }, query: { ...queryOf(target), ...(asOf && { as_of: asOf }) } }),
  )
  if (error) return <ErrorNote error={error} title="The paths could not be loaded" retry={() => void refetch()} />
  if (!data)
    return (
      <Panel>
        <Skeleton height={200} />
      </Panel>
    )
  const person = data.nodes.find(({ kind }) => kind === 'user')
  const goal = data.nodes.find(
    ({ kind, id }) =>
      ('appEntitlementId' in target && kind === 'entitlement' && id === target.appEntitlementId) ||
      ('appResourceId' in target && kind === 'resource' && id === target.appResourceId),
  )
  const question = `How ${person?.displayName ?? 'the person'} reaches ${goal?.displayName ?? 'it'}`
  if (data.paths.length === 0)
    return (
      <Panel>
        <EmptyNote icon={IconRouteOff} title="No path found">
          {person?.displayName} does not reach {goal?.displayName}
          {asOf ? ' at that moment' : ''}.
        </EmptyNote>
      </Panel>
    )
  return (
    <Panel
      title={question}
      about={`${data.paths.length === 1 ? 'One path' : `${data.paths.length} paths`}.`}
      actions={
        <SegmentedControl
          size="xs"
          aria-label="Show as"
          data={[
            { value: 'graph', label: 'Graph' },
            { value: 'list', label: 'List' },
          ]}
          value={view}
          onChange={setView}
        />
      }
    >
      {view === 'graph' ? (
        <PathGraph label={`${question}. Choose List for the same in words.`} nodes={data.nodes} edges={data.edges} />
      ) : (
        <Branches branches={branchesOf(data.paths, data.nodes, data.edges)} />
      )}
      {data.isCut && (
        <Text size="sm" c="dimmed" mt="xs">
          There are more paths than are shown.
        </Text>
      )}
      {data.isDirectOnly && (
        <Text size="sm" c="dimmed" mt="xs">
          In the past, only direct grants and bindings are known.
        </Text>
      )}
    </Panel>
  )
}

const Branches = ({ branches }: { branches: readonly Branch[] }): ReactNode => (
  <ul className={classes.list}>
    {branches.map(({ node, edge, branches: further }) => (
      <li key={node.key}>
        <span className={classes.quiet}>{kindWords[node.kind]}</span>{' '}
        <Anchor component={Link} to={placeOf(node)} size="sm" underline="always">
          {node.displayName}
        </Anchor>
        {node.about && <span className={classes.quiet}> ({node.about})</span>}
        {edge && <EdgeReasons edge={edge} />}
        {further.length > 0 && <Branches branches={further} />}
      </li>
    ))}
  </ul>
)

const kindReasons: Readonly<Record<string, string>> = {
  nested: 'granted by the app through the one above',
  rule: 'granted by a rule to members of the one above',
  binding: 'bound to the one above',
}

/** Who or what gave one step of the way. */
const EdgeReasons = ({ edge: { kind, reasons } }: { edge: AccessPathEdge }): ReactNode => (
  <>
    {kindReasons[kind] && <span className={classes.quiet}>, {kindReasons[kind]}</span>}
    {reasons.map((reason) => (
      <div key={reason.source} className={classes.quiet}>
        {sourceWords(reason.source)}
        {reason.grantedBy && (
          <>
            : <Giver giver={reason.grantedBy} />
          </>
        )}
        , since <Moment at={reason.since} show="day" />
        {reason.expiresAt && (
          <>
            , expires <Moment at={reason.expiresAt} show="day" />
          </>
        )}
      </div>
    ))}
  </>
)
