import { Anchor, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { requestCatalogSearchEntitlements } from '#client/api/operations.ts'
import { read } from '../../client/queries.ts'
import { Named } from '../../parts/named.tsx'
import { Panel } from '../../parts/panel.tsx'
import { catalogMask, type Requestable, requestablesOf } from '../requests/catalog.ts'
import { useOpenRequests } from '../requests/open-requests.ts'
import { RequestDialog } from '../requests/request-dialog.tsx'
import { RequestButton } from '../requests/request-page.tsx'
import classes from './home.module.css'
import { Section } from './section.tsx'

const typingMs = 200
const shownMax = 6

/** What the caller can request: found by a search, requested by a click. */
export function Requestables(): ReactNode {
  const [typed, setTyped] = useState('')
  const [query] = useDebouncedValue(typed.trim(), typingMs)
  const [asking, setAsking] = useState<Requestable | null>(null)
  const openTaskOf = useOpenRequests()
  const found = useQuery({
    ...read(requestCatalogSearchEntitlements, {
      // By default, what they do not hold yet; a search also finds what they hold.
      body: {
        query,
        grantedStatus: query === '' ? ('NOT_GRANTED' as const) : ('ALL' as const),
        expandMask: catalogMask,
        pageSize: 10,
      },
    }),
    placeholderData: keepPreviousData,
  })
  return (
    <Panel
      title="Request access"
      actions={
        <Anchor component={Link} to="/request" size="sm">
          Everything you can request
        </Anchor>
      }
    >
      <TextInput
        type="search"
        size="md"
        aria-label="What do you need access to?"
        placeholder="What do you need access to?"
        leftSection={<IconSearch size={18} aria-hidden />}
        value={typed}
        onChange={({ currentTarget: { value } }) => setTyped(value)}
      />
      <Section
        query={found}
        className={`${classes.items} ${classes.found}`}
        nothing={
          <span style={{ display: 'block', marginTop: '0.75rem' }}>
            {query === ''
              ? 'Nothing can be requested yet. A request administrator must first publish an access profile.'
              : `No results for “${query}”.`}
          </span>
        }
      >
        {(reply) =>
          requestablesOf(reply)
            .slice(0, shownMax)
            .map((item) => (
              <li key={`${item.entitlement.appId} ${item.entitlement.id}`} className={classes.item}>
                <Named isQuiet label={item.entitlement.displayName} about={item.appName} />
                <span className={classes.side}>
                  <RequestButton item={item} openTask={openTaskOf(item.entitlement)} onAsk={setAsking} />
                </span>
              </li>
            ))
        }
      </Section>
      {asking && <RequestDialog item={asking} onClose={() => setAsking(null)} />}
    </Panel>
  )
}
