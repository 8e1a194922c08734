import { Anchor, Stack, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { AddressUse } from '#client/api/types.ts'
import classes from './uses.module.css'
import { useWords } from './words.ts'

type UsesProps = {
  uses: readonly AddressUse[]
  /** The host name whose lists the counts open; none before it is used by anything else. */
  host?: string
}

const tabs: Partial<Record<AddressUse['kind'], string>> = {
  CREDENTIALS: 'credentials',
  CONNECTOR_CREDENTIALS: 'credentials',
  PASSKEYS: 'people',
}
const pages: Partial<Record<AddressUse['kind'], string>> = {
  DIRECTORIES: '/directories',
  WEBHOOKS: '/webhooks',
  FEDERATION_TRUSTS: '/principals',
}

/** What depends on an address, and what to do about it. */
export const Uses = ({ uses, host }: UsesProps): ReactNode => (
  <Stack gap="sm" component="ul" className={classes.uses}>
    {uses.map(({ kind, count, effect, action }) => (
      <li key={kind}>
        <Text size="sm" fw={600} component="span">
          {useWords[kind]}
          {count > 0 && ': '}
        </Text>
        {count > 0 && <Count kind={kind} count={count} host={host} />}
        <Text size="sm">{effect}</Text>
        {action && (
          <Text size="sm" c="dimmed">
            {action}
          </Text>
        )}
      </li>
    ))}
  </Stack>
)

function Count({
  kind,
  count,
  host,
}: {
  kind: AddressUse['kind']
  count: number
  host: string | undefined
}): ReactNode {
  const tab = tabs[kind]
  const page = pages[kind]
  if (tab && host)
    return (
      <Anchor size="sm" component={Link} to={`/settings/address/${encodeURIComponent(host)}?show=${tab}`}>
        {count}
      </Anchor>
    )
  return page ? (
    <Anchor size="sm" component={Link} to={page}>
      {count}
    </Anchor>
  ) : (
    <Text size="sm" component="span">
      {count}
    </Text>
  )
}
