import { useState } from 'react'
import type { Operation } from '#client/operation.ts'
import { call } from '../../client/call.ts'

/** The API's limit for one bulk change. */
export const itemsMax = 1_000
const pageSize = 100

type Paged = { nextPageToken: string }

/** Reads the rows of a list page by page, up to the number that can be changed at once. */
export async function readAll<Input, Reply extends Paged, Row>(
  operation: Operation<Input, Reply>,
  inputOf: (page: { pageSize: number; pageToken: string }) => Input,
  rowsOf: (reply: Reply) => readonly Row[],
): Promise<{ rows: Row[]; isMore: boolean }> {
  const rows: Row[] = []
  for (let pageToken = ''; ; ) {
    const reply = await call(operation, inputOf({ pageSize, pageToken }))
    rows.push(...rowsOf(reply))
    pageToken = reply.nextPageToken
    if (pageToken === '' || rows.length >= itemsMax)
      return { rows: rows.slice(0, itemsMax), isMore: pageToken !== '' || rows.length > itemsMax }
  }
}

export type AllMatching<Row> = {
  isPending: boolean
  error: unknown
  /** Reads them, and hands them on. */
  read: (then: (rows: readonly Row[], isMore: boolean) => void) => void
}

/** Everything that a list's filters match, in place of the rows that are selected. */
export function useAllMatching<Row>(readRows: () => Promise<{ rows: Row[]; isMore: boolean }>): AllMatching<Row> {
  const [state, setState] = useState<{ isPending: boolean; error: unknown }>({ isPending: false, error: null })
  return {
    ...state,
    read(then) {
      setState({ isPending: true, error: null })
      readRows().then(
        ({ rows, isMore }) => {
          setState({ isPending: false, error: null })
          then(rows, isMore)
        },
        (error: unknown) => setState({ isPending: false, error }),
      )
    },
  }
}
