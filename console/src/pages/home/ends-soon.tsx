import { Anchor, Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { appEntitlementSearchGrants } from '#client/api/operations.ts'
import { call } from '../../client/call.ts'
import { neighbourAt } from '../../client/neighbours.ts'
import { useSession } from '../../client/session.ts'
import { Named } from '../../parts/named.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Until } from '../../parts/until.tsx'
import type { Requestable } from '../requests/catalog.ts'
import { useExtendable } from '../requests/extendable.ts'
import { RequestDialog } from '../requests/request-dialog.tsx'
import classes from './home.module.css'
import { Section } from './section.tsx'

const soonMs = 14 * 86_400_000
const pagesMax = 5
const shownMax = 8

type Ending = { item: Requestable; at: string }

/** What the caller holds and will lose within two weeks; the next first. The API has no such order, so all is looked through. */
async function listEnding(userId: string, signal: AbortSignal): Promise<Ending[]> {
  const ending: Ending[] = []
  let pageToken = ''
  for (let page = 0; page < pagesMax; page++) {
    const body = { userId, expandMask: { paths: ['appId'] }, pageSize: 100, pageToken }
    const reply = await call(appEntitlementSearchGrants, { body }, signal)
    for (const { appEntitlementUserBinding: binding, entitlement: view } of reply.list) {
      const at = binding?.appEntitlementUserBindingDeprovisionAt
      if (!at || !view?.appEntitlement || new Date(at).getTime() - Date.now() > soonMs) continue
      const appName = neighbourAt(reply, view.appPath, 'App')?.displayName ?? ''
      ending.push({
        at,
        item: { entitlement: view.appEntitlement, appName, resourceName: '', isHeld: true, isForGood: false },
      })
    }
    pageToken = reply.nextPageToken
    if (pageToken === '') break
  }
  return ending.toSorted((a, b) => a.at.localeCompare(b.at))
}

export function EndsSoon(): ReactNode {
  const { user } = useSession()
  const isExtendable = useExtendable()
  const userId = user?.id ?? ''
  const [asking, setAsking] = useState<Requestable | null>(null)
  const ending = useQuery({
    queryKey: [appEntitlementSearchGrants.id, 'expires soon', userId],
    queryFn: ({ signal }) => listEnding(userId, signal),
    enabled: userId !== '',
  })
  return (
    <Panel
      title="Your access that expires soon"
      actions={
        <Anchor component={Link} to="/me" size="sm">
          All your access
        </Anchor>
      }
    >
      <Section query={ending} nothing="None of your access expires within the next two weeks.">
        {(all) =>
          all.slice(0, shownMax).map(({ item, at }) => (
            <li key={`${item.entitlement.appId} ${item.entitlement.id} ${at}`} className={classes.item}>
              <Named isQuiet label={item.entitlement.displayName} about={item.appName} />
              <span className={classes.side}>
                <Until at={at} />
                {isExtendable(item.entitlement) && (
                  <Button
                    size="compact-xs"
                    variant="default"
                    aria-label={`Extend ${item.entitlement.displayName}`}
                    onClick={() => setAsking(item)}
                  >
                    Extend
                  </Button>
                )}
              </span>
            </li>
          ))
        }
      </Section>
      {asking && <RequestDialog item={asking} onClose={() => setAsking(null)} />}
    </Panel>
  )
}
