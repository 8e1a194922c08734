import { Badge } from '@mantine/core'
import {
  IconHome,
  IconLink,
  IconNotebook,
  IconPlugConnected,
  IconPlugConnectedX,
  IconUser,
  IconWebhook,
} from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { AppEnforcementState, EntitlementEnforcement, RevocationEnforcement } from '#client/api/types.ts'
import { type EntitlementRef, useEnforcement } from '../client/enforcement.ts'
import classes from './enforcement.module.css'
import { EntitlementName } from './entitlement-name.tsx'
import { RelativeTime } from './relative-time.tsx'

// The same words wherever it is said what reaches an app: in lists, on pages, in plans.
const looks = {
  connected: { label: 'Connected', color: 'teal', icon: IconPlugConnected },
  outOfDate: { label: 'Connected', color: 'orange', icon: IconPlugConnectedX },
  manual: { label: 'Manual', color: 'ink', icon: IconUser },
  webhook: { label: 'Webhook', color: 'ink', icon: IconWebhook },
  through: { label: 'Through another entitlement', color: 'gray', icon: IconLink },
  records: { label: 'Records only', color: 'orange', icon: IconNotebook },
  builtIn: { label: 'Built in', color: 'gray', icon: IconHome },
} as const

type LookProps = { is: keyof typeof looks; isAlone?: boolean }

/** The colon is for screen readers and copies: others see where the badge ends. */
function Look({ is, isAlone = false }: LookProps): ReactNode {
  const { label, color, icon: Icon } = looks[is]
  return (
    <Badge component="span" color={color} leftSection={<Icon size={12} aria-hidden />}>
      {label}
      {!isAlone && <span className={classes.colon}>:</span>}
    </Badge>
  )
}

const looksOfApps: Readonly<Record<AppEnforcementState['state'], keyof typeof looks | null>> = {
  ENFORCEMENT_STATE_UNSPECIFIED: null,
  ENFORCEMENT_STATE_CONNECTED: 'connected',
  ENFORCEMENT_STATE_MANUAL: 'manual',
  ENFORCEMENT_STATE_RECORDS_ONLY: 'records',
  ENFORCEMENT_STATE_BUILT_IN: 'builtIn',
}

/** The state of an app where the column beside it says more. */
export function AppEnforcementBadge({ state }: Pick<AppEnforcementState, 'state'>): ReactNode {
  const is = looksOfApps[state]
  return is && <Look is={is} isAlone />
}

type LineProps = { is: keyof typeof looks; children: ReactNode }

/** `Records only: nobody is asked`. */
const Line = ({ is, children }: LineProps): ReactNode => (
  <span className={classes.line}>
    <Look is={is} /> <span>{children}</span>
  </span>
)

type Synced = { connectorDisplayName: string; lastSyncedAt: string | null }

/** A day without a sync: what is known of the app is out of date by then, even if it syncs once a day. */
const outOfDateMs = 86_400_000

function Connected({ connectorDisplayName, lastSyncedAt }: Synced): ReactNode {
  const isOutOfDate = lastSyncedAt === null || Date.now() - Date.parse(lastSyncedAt) > outOfDateMs
  return (
    <Line is={isOutOfDate ? 'outOfDate' : 'connected'}>
      {connectorDisplayName},{' '}
      {lastSyncedAt ? (
        <>
          {isOutOfDate && 'last '}synced <RelativeTime at={lastSyncedAt} />
        </>
      ) : (
        'not synced yet'
      )}
    </Line>
  )
}

type AppLineProps = Synced & {
  state: AppEnforcementState['state']
  /** The owners of the app are asked; otherwise those whom each entitlement names. */
  asksOwners?: boolean
}

/** Whether changes reach an app, and by what. */
export function AppEnforcementLine({ state, asksOwners = false, ...synced }: AppLineProps): ReactNode {
  if (state === 'ENFORCEMENT_STATE_CONNECTED') return <Connected {...synced} />
  if (state === 'ENFORCEMENT_STATE_BUILT_IN') return <Line is="builtIn">takes effect in Bailiwick</Line>
  if (state === 'ENFORCEMENT_STATE_RECORDS_ONLY') return <Line is="records">nobody is asked</Line>
  return state === 'ENFORCEMENT_STATE_MANUAL' ? (
    <Line is="manual">{asksOwners ? 'tasks go to the owners of the app' : 'tasks go to people'}</Line>
  ) : null
}

/** What makes changes of an entitlement in its app, in words. */
function EnforcerLine(of: RevocationEnforcement): ReactNode {
  const { by, asked, entitlement, why } = of
  if (by === 'ENFORCED_BY_CONNECTOR') return <Connected {...of} />
  if (by === 'ENFORCED_BY_WEBHOOK') return <Line is="webhook">it is called for each change</Line>
  if (by === 'ENFORCED_BY_BAILIWICK') return <Line is="builtIn">takes effect in Bailiwick</Line>
  if (by === 'ENFORCED_BY_NOBODY') return <Line is="records">nobody is asked</Line>
  if (by === 'ENFORCED_BY_PEOPLE')
    return (
      <>
        <Line is="manual">tasks go to {asked?.words ?? 'people'}</Line>
        {why && <span className={classes.why}>{why}</span>}
      </>
    )
  return (
    <Line is="through">
      {entitlement ? <EntitlementName appId={entitlement.appId} entitlementId={entitlement.id} /> : 'that includes it'}
    </Line>
  )
}

/** Who grants and who revokes an entitlement in its app: one line if that is the same. */
const EnforcementLines = ({ of }: { of: EntitlementEnforcement }): ReactNode => (
  <>
    <EnforcerLine {...of} />
    {of.revocation && (
      <span className={classes.other}>
        To revoke it: <EnforcerLine {...of.revocation} />
      </span>
    )}
  </>
)

/** The same, read for one entitlement; nothing until it is known. */
export function EntitlementEnforced({ of }: { of: EntitlementRef }): ReactNode {
  const found = useEnforcement(of)
  return found ? <EnforcementLines of={found} /> : null
}
