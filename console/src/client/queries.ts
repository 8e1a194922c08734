import { notifications } from '@mantine/notifications'
import { QueryClient, queryOptions, type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query'
import { homeListAttention } from '#client/api/operations.ts'
import { ApiError } from '#client/api-error.ts'
import type { Operation } from '#client/operation.ts'
import { call } from './call.ts'

const freshMs = 10_000
const triesMax = 2
/** How the ids of the operations begin that tell the totals of lists. */
const totals = 'lists.v1.ListCounts.'

/** What may pass by itself: the database was away, or the network was. */
const mayPass = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 0 || error.status === 503 || error.status === 429)

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { staleTime: freshMs, retry: (tries, error) => tries < triesMax && mayPass(error) },
  },
})

/** An operation that reads, for `useQuery`. Its key begins with the operation's id, by which changes make it stale. */
export const read = <Input, Reply>(operation: Operation<Input, Reply>, input: Input) =>
  queryOptions({
    queryKey: [operation.id, input],
    queryFn: ({ signal }) => call(operation, input, signal),
  })

type ChangeOptions<Input, Reply> = {
  /** The operations whose answers are other ones now. */
  changes: readonly { readonly id: string }[]
  /** Said when it is done; nothing is said without. */
  done?: string | ((reply: Reply, input: Input) => string)
  onDone?: (reply: Reply, input: Input) => void
}

/** An operation that changes something: reads again what it changed, says that it is done. Errors are in `error`. */
export function useChange<Input, Reply>(
  operation: Operation<Input, Reply>,
  { changes, done, onDone }: ChangeOptions<Input, Reply>,
): UseMutationResult<Reply, Error, Input> {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (input: Input) => call(operation, input),
    async onSuccess(reply, input) {
      onDone?.(reply, input)
      // What else it changed is read again where it is next looked at; here, only what the page says that it changed.
      void client.invalidateQueries({ refetchType: 'none' })
      // Most of what can be changed is counted beside the pages too; nobody waits for that.
      void client.invalidateQueries({ queryKey: [homeListAttention.id] })
      void client.invalidateQueries({ predicate: ({ queryKey: [id] }) => String(id).startsWith(totals) })
      await Promise.all(changes.map(({ id }) => client.invalidateQueries({ queryKey: [id] })))
      // Only now: whoever reads it and goes on typing must not lose that to a form that is drawn anew with what was saved.
      if (done)
        notifications.show({
          message: typeof done === 'string' ? done : done(reply, input),
          color: 'teal',
          closeButtonProps: { 'aria-label': 'Close' },
        })
    },
  })
}
