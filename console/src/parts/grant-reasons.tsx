import { Badge } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { GrantReason } from '#client/api/types.ts'
import { useSession } from '../client/session.ts'
import classes from './grant-reasons.module.css'
import { UserName } from './user-name.tsx'

const sources: Readonly<Record<string, readonly [label: string, color: string]>> = {
  manual: ['Manual', 'ink'],
  import: ['Import', 'gray'],
  rule: ['Rule', 'grape'],
  request: ['Request', 'teal'],
  profile: ['Access profile', 'indigo'],
  directory: ['Directory', 'blue'],
}

/** Where a membership comes from: each reason, and who or what gave it. */
export const GrantReasons = ({ reasons }: { reasons: readonly GrantReason[] }): ReactNode => (
  <ul className={classes.reasons}>
    {reasons.map((reason) => {
      const [label, color] = sources[reason.derivedIdType] ?? [reason.derivedIdType, 'gray']
      return (
        <li key={reason.derivedIdType}>
          <Source reason={reason} label={label} color={color} />
          {(reason.derivedIdType === 'manual' || reason.derivedIdType === 'request') && reason.derivedIdData && (
            <UserName userId={reason.derivedIdData} />
          )}
          {reason.reason && <span className={classes.why}>{reason.reason}</span>}
        </li>
      )
    })}
  </ul>
)

/** What kind of a source it is; an import and a rule lead to what they did. */
function Source({ reason, label, color }: { reason: GrantReason; label: string; color: string }): ReactNode {
  const { may } = useSession()
  const place = placeOf(reason)
  return place && may(place.permission) ? (
    <Badge component={Link} to={place.to} color={color} className={classes.source} title={place.title}>
      {label}
    </Badge>
  ) : (
    <Badge component="span" color={color}>
      {label}
    </Badge>
  )
}

function placeOf({ derivedIdType: source, derivedIdData: id, appId, appEntitlementId }: GrantReason) {
  if (id === '') return null
  if (source === 'import') return { to: `/imports/${id}`, permission: 'imports.read', title: 'Show import' }
  if (source !== 'rule') return null
  const to = `/apps/${appId}/entitlements/${appEntitlementId}/runs`
  return { to, permission: 'automations.read', title: 'Show runs of the rule' }
}
