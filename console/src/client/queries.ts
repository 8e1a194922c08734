import { notifications } from '@mantine/notifications'
import { QueryClient, queryOptions, type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query'
import { homeListAttention } from '#client/api/operations.ts'
import { ApiError } from '#client/api-error.ts'
import type { Operation } from '#client/operation.ts'
import { call } from './call.ts'

const freshMs = 10_000
const triesMax = 2
/** The prefix of the ids of operations that count lists. */
const totals = 'lists.v1.ListCounts.'

/** Temporary failures: of the network, an unavailable database, a rate limit. */
const mayPass = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 0 || error.status === 503 || error.status === 429)

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { staleTime: freshMs, retry: (tries, error) => tries < triesMax && mayPass(error) },
  },
})

/** An operation that reads, for `useQuery`. Its key begins with the operation's id, by which changes invalidate it. */
export const read = <Input, Reply>(operation: Operation<Input, Reply>, input: Input) =>
  queryOptions({
    queryKey: [operation.id, input],
    queryFn: ({ signal }) => call(operation, input, signal),
  })

type ChangeOptions<Input, Reply> = {
  /** The operations whose replies have changed. */
  changes: readonly { readonly id: string }[]
  /** The notification after it; without it there is none. */
  done?: string | ((reply: Reply, input: Input) => string)
  onDone?: (reply: Reply, input: Input) => void
}

/** An operation that changes something: reads again what it changed, and shows a notification. Errors are in `error`. */
export function useChange<Input, Reply>(
  operation: Operation<Input, Reply>,
  { changes, done, onDone }: ChangeOptions<Input, Reply>,
): UseMutationResult<Reply, Error, Input> {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (input: Input) => call(operation, input),
    async onSuccess(reply, input) {
      onDone?.(reply, input)
      // Everything else is read again when it is next shown; here, only the operations that the page names.
      void client.invalidateQueries({ refetchType: 'none' })
      // Most of what can be changed is also counted in the navigation, which nothing waits for.
      void client.invalidateQueries({ queryKey: [homeListAttention.id] })
      void client.invalidateQueries({ predicate: ({ queryKey: [id] }) => String(id).startsWith(totals) })
      await Promise.all(changes.map(({ id }) => client.invalidateQueries({ queryKey: [id] })))
      // Only now: someone who reads it and continues typing must not lose their text when the form is drawn again after
      // saving.
      if (done)
        notifications.show({
          message: typeof done === 'string' ? done : done(reply, input),
          color: 'teal',
          closeButtonProps: { 'aria-label': 'Close' },
        })
    },
  })
}
