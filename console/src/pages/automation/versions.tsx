import { Badge, Code, Group, Text } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { appEntitlementsListAutomationVersions } from '#client/api/operations.ts'
import type { AutomationVersion } from '#client/api/types.ts'
import { DataList } from '../../parts/data-list.tsx'
import { Moment } from '../../parts/moment.tsx'
import type { Column } from '../../parts/table.tsx'
import { UserName } from '../../parts/user-name.tsx'
import { EntitlementPage, useEntitlement } from '../entitlements/entitlement-page.tsx'
import { pathOf, useRule } from './reads.ts'
import { useMayChangeRule } from './rights.ts'
import classes from './runs.module.css'
import { VersionDrawer } from './version-drawer.tsx'

/** What the rule of an entitlement was, save by save. */
export function Versions(): ReactNode {
  const { appId, entitlementId } = useEntitlement()
  const of = { appId, entitlementId }
  const mayChange = useMayChangeRule()
  const { rule, state } = useRule(of)
  const current = rule ? (state?.ruleVersion ?? 0) : 0
  const [shown, setShown] = useState<AutomationVersion | null>(null)
  return (
    <EntitlementPage>
      <DataList
        caption="The versions of the automation rule, latest first"
        operation={appEntitlementsListAutomationVersions}
        input={({ pageSize, pageToken }) => ({
          path: pathOf(of),
          query: { page_size: pageSize, page_token: pageToken },
        })}
        rows={({ list }) => list}
        keyOf={({ version }) => String(version)}
        columns={columnsOf(current, setShown)}
        empty={{
          icon: IconHistory,
          title: 'No versions yet',
          children: 'Every time the rule is saved, that version is listed here. You can compare and restore versions.',
        }}
      />
      <VersionDrawer
        of={of}
        version={shown}
        current={current}
        isDeleted={rule === null}
        mayChange={mayChange}
        onClose={() => setShown(null)}
      />
    </EntitlementPage>
  )
}

/** What a version matches, on a line. */
const summaryOf = (version: AutomationVersion): ReactNode => {
  const expression = version.cel?.expression ?? version.basic?.expression
  if (expression !== undefined) return <Code className={classes.expression}>{expression}</Code>
  const count = version.entitlements?.entitlementRefs.length ?? 0
  return count === 0 ? 'Nobody' : `Members of ${count} ${count === 1 ? 'entitlement' : 'entitlements'}`
}

const columnsOf = (
  current: number,
  onShow: (version: AutomationVersion) => void,
): readonly Column<AutomationVersion>[] => [
  {
    header: 'Version',
    width: '10rem',
    cell: (version) => (
      <Group gap={6} component="span">
        <button type="button" data-opens className={classes.when} onClick={() => onShow(version)}>
          Version {version.version}
        </button>
        {version.version === current && (
          <Badge component="span" color="teal.9">
            Current
          </Badge>
        )}
      </Group>
    ),
  },
  { header: 'Rule', cell: summaryOf },
  {
    header: 'Saved',
    width: '13rem',
    cell: ({ savedAt, savedByUserId }) => (
      <div>
        <div>
          <Moment at={savedAt} show="seconds" />
        </div>
        {savedByUserId && (
          <div>
            <UserName userId={savedByUserId} />
          </div>
        )}
      </div>
    ),
  },
  {
    header: 'Reason',
    width: '22%',
    cell: ({ reason, restoresVersion }) => (
      <>
        {restoresVersion > 0 && (
          <Text size="sm" c="dimmed">
            Restores version {restoresVersion}
          </Text>
        )}
        {reason || (restoresVersion > 0 ? '' : '–')}
      </>
    ),
  },
]
