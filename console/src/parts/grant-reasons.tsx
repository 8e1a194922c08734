import { Badge } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { GrantReason } from '#client/api/types.ts'
import { useSession } from '../client/session.ts'
import { sourceNamed } from '../client/sources.ts'
import classes from './grant-reasons.module.css'
import { PageLink } from './page-link.tsx'
import { placeOfSource } from './source-place.ts'
import { UserName } from './user-name.tsx'

/** What each source of access is called, and its colour. */
export const sources: Readonly<Record<string, readonly [label: string, color: string]>> = {
  manual: ['Manual', 'ink'],
  import: ['Import', 'gray'],
  rule: ['Rule', 'grape'],
  request: ['Request', 'teal'],
  profile: ['Access profile', 'indigo'],
  directory: ['Directory', 'blue'],
}

/** The sources of a membership: each reason, and who or what granted it. */
export const GrantReasons = ({ reasons }: { reasons: readonly GrantReason[] }): ReactNode => (
  <ul className={classes.reasons}>
    {reasons.map((reason) => {
      const [label, color] = sources[reason.derivedIdType] ?? [reason.derivedIdType, 'gray']
      return (
        <li key={reason.derivedIdType}>
          <Source reason={reason} label={label} color={color} />
          {reason.derivedIdType === 'manual' && reason.derivedIdData ? (
            <UserName userId={reason.derivedIdData} />
          ) : (
            named.has(reason.derivedIdType) && reason.derivedIdData && <SourceName reason={reason} />
          )}
          {reason.reason && <span className={classes.why}>{reason.reason}</span>}
        </li>
      )
    })}
  </ul>
)

/** What kind of a source it is; it leads to the page of what gave the access. */
function Source({ reason, label, color }: { reason: GrantReason; label: string; color: string }): ReactNode {
  const { may } = useSession()
  const { derivedIdType, derivedIdData: id, appId, appEntitlementId } = reason
  const place = placeOfSource(derivedIdType, { id, appId, appEntitlementId })
  return place && may(place.permission) ? (
    <Badge component={PageLink} to={place.to} color={color} className={classes.source} title={place.title}>
      {label}
    </Badge>
  ) : (
    <Badge component="span" color={color}>
      {label}
    </Badge>
  )
}

const named = new Set(['rule', 'profile', 'request'])

/** The name of a rule, an access profile or a request; of one that was deleted, the name that it had. */
function SourceName({ reason: { derivedIdData: id, appId } }: { reason: GrantReason }): ReactNode {
  const { may } = useSession()
  const { data } = useQuery({ ...sourceNamed({ id, appId }), enabled: may('grants.read') })
  if (!data?.displayName) return null
  return (
    <span className={classes.name} {...(data.ruleExpression && { title: data.ruleExpression })}>
      {data.displayName}
      {data.isDeleted && ' (deleted)'}
    </span>
  )
}
