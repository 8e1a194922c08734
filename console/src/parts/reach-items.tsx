import { List } from '@mantine/core'
import type { ReactNode } from 'react'
import { type EntitlementRef, useEnforcement } from '../client/enforcement.ts'
import { grants, type Reach, reachLines } from './reach.ts'

/** `Ends 43 grants in Bailiwick`, and what that leads to in the apps, as items of a list. */
export const ReachItems = ({ count, reach }: { count: number; reach: Reach | null }): ReactNode =>
  [`Ends ${grants(count)} in Bailiwick.`, ...reachLines(reach)].map((line) => <List.Item key={line}>{line}</List.Item>)

/** Whether a change that is made here without a request, such as adding a member, reaches the app. */
export function DirectReach({ of, doing }: { of: EntitlementRef; doing: 'grant' | 'revoke' }): ReactNode {
  const found = useEnforcement(of)
  const enforcer = (doing === 'revoke' ? found?.revocation : null) ?? found
  if (!enforcer || enforcer.by === 'ENFORCED_BY_BAILIWICK') return null
  return enforcer.by === 'ENFORCED_BY_CONNECTOR'
    ? `It is sent to the connector ${enforcer.connectorDisplayName}, which changes the app.`
    : 'Nobody is asked to change the app.'
}
