import { Button, Group, Loader, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { BulkItem, BulkPlan, BulkResult } from '#client/api/types.ts'
import type { Operation } from '#client/operation.ts'
import { call } from '../../client/call.ts'
import { Dialog } from '../dialog.tsx'
import { ErrorNote } from '../error-note.tsx'
import { Planned } from './planned.tsx'

export type Applying = { fingerprint: string; reason: string; isConfirmed: boolean }

export type BulkDialogProps<Body extends object, Applied extends object = Body> = {
  title: string
  about: ReactNode
  /** What is done, and to what: "Revoke", "grant". */
  verb: string
  noun: string
  plan: Operation<{ body: Body }, BulkPlan>
  apply: Operation<{ body: Applied & Applying }, BulkResult>
  /** The body for applying, if it differs from that of the plan. */
  applied?: (body: Body) => Applied
  /** Null while something is still to be chosen. */
  body: Body | null
  /** What an item is called. */
  nameOf: (item: BulkItem) => string
  /** The operations whose answers are other ones afterwards. */
  changes: readonly { readonly id: string }[]
  onClose: () => void
  onDone: () => void
  /** What the plan leads to in the apps, for changes of access. */
  consequence?: (planned: BulkPlan) => ReactNode
  /** The notification after it, if it is not how many were changed. */
  doneWords?: (result: BulkResult) => string
  /** What is chosen before there is a plan: a date, a person. */
  children?: ReactNode
}

export const counted = (count: number, noun: string): string =>
  `${count.toLocaleString()} ${noun}${count === 1 ? '' : 's'}`

/** Several things changed together: what would happen to each, and then just that. */
export function BulkDialog<Body extends object, Applied extends object = Body>(
  props: BulkDialogProps<Body, Applied>,
): ReactNode {
  const { body } = props
  // Not shared with others: what is shown is what is applied.
  const plan = useQuery({
    queryKey: [props.plan.id, body],
    queryFn: ({ signal }) => call(props.plan, { body: body as Body }, signal),
    staleTime: 0,
    gcTime: 0,
    enabled: body !== null,
  })
  return (
    <Dialog opened onClose={props.onClose} title={props.title}>
      <Stack>
        <Text size="sm">{props.about}</Text>
        {props.children}
        <ErrorNote error={plan.error} retry={() => void plan.refetch()} />
        {plan.isFetching ? (
          <Group gap="xs">
            <Loader size="sm" aria-hidden />
            <Text size="sm" role="status">
              Planning…
            </Text>
          </Group>
        ) : (
          plan.data &&
          body && <Planned {...props} body={body} planned={plan.data} onOutdated={() => void plan.refetch()} />
        )}
        {!plan.data && (
          <Group justify="flex-end">
            <Button variant="default" onClick={props.onClose}>
              Cancel
            </Button>
          </Group>
        )}
      </Stack>
    </Dialog>
  )
}
