import { Alert, Button, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { addressGetRequest } from '#client/api/operations.ts'
import { read } from '../../client/queries.ts'
import { ErrorNote } from '../../parts/error-note.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Panel } from '../../parts/panel.tsx'

/** How this browser reaches the server, as both see it: what a proxy between them does. */
export function RequestPanel(): ReactNode {
  const { data, error, refetch, isFetching } = useQuery(read(addressGetRequest, {}))
  const isSame = data?.address === location.origin
  const problems = [
    ...(data && !isSame
      ? [
          `Your browser opened ${location.origin}, and this server was called as ${data.address}. A proxy must pass on the Host header as it is, and X-Forwarded-Proto.`,
        ]
      : []),
    ...(data?.problems ?? []),
  ]
  return (
    <Panel
      title="How your request reached this server"
      about="Behind a proxy, this shows what it passes on."
      actions={
        <Button variant="default" loading={isFetching} onClick={() => void refetch()}>
          Check again
        </Button>
      }
    >
      <Stack>
        <ErrorNote error={error} />
        {!data && !error && <Skeleton height={120} />}
        {data && (
          <Facts
            facts={[
              ['Address in your browser', location.origin],
              ['Address as the server sees it', data.address],
              ['Your IP address as the server sees it', data.sourceAddress],
              ['X-Forwarded-For', data.forwardedFor || 'Not sent'],
              ['X-Forwarded-Proto', data.forwardedProto || 'Not sent'],
            ]}
          />
        )}
        {data && problems.length === 0 && (
          <Text size="sm">
            {data.isForwardingUsed
              ? 'A trusted proxy is in between, and passes on what it must.'
              : 'No proxy is in between, as far as this server sees.'}
          </Text>
        )}
        {problems.map((problem) => (
          <Alert key={problem} color="red" role="alert">
            {problem}
          </Alert>
        ))}
      </Stack>
    </Panel>
  )
}
