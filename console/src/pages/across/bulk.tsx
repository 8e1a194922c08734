import { Button } from '@mantine/core'
import { useState } from 'react'
import { itemsMax, useAllMatching } from '../../parts/bulk/all-matching.ts'
import { MatchingButton } from '../../parts/bulk/matching-button.tsx'
import type { Selection } from '../../parts/list-selection.tsx'

type Action<What extends string> = {
  what: What
  /** For the selected rows, and for all rows that match the filters. */
  label: string
  labelOfAll: string
  isRevoking?: boolean
}

/** A change of several rows, while its window is open. */
export type Bulk<Row, What extends string = string> = {
  what: What
  rows: readonly Row[]
  /** More match than can be changed at once. */
  isMore: boolean
  onClose: () => void
  onDone: () => void
}

type UseBulkProps<Row, What extends string> = {
  actions: readonly Action<What>[]
  labelOf: (row: Row) => string
  readAll: () => Promise<{ rows: Row[]; isMore: boolean }>
}

/** The selection of a list, with what can be done with several rows, and what is being done. */
export function useBulk<Row, What extends string>({
  actions,
  labelOf,
  readAll,
}: UseBulkProps<Row, What>): {
  selection: { selection?: Selection<Row> }
  bulk: Bulk<Row, What> | null
} {
  const matching = useAllMatching(readAll)
  const [bulk, setBulk] = useState<Bulk<Row, What> | null>(null)
  if (actions.length === 0) return { selection: {}, bulk: null }
  const onClose = (): void => setBulk(null)
  const begin = (what: What, rows: readonly Row[], isMore: boolean, clear: () => void): void =>
    setBulk({
      what,
      rows,
      isMore,
      onClose,
      onDone() {
        clear()
        onClose()
      },
    })
  return {
    bulk,
    selection: {
      selection: {
        labelOf,
        actions: (chosen, clear) => (
          <>
            {actions.map(({ what, label, isRevoking }) => (
              <Button
                key={what}
                size="xs"
                {...(isRevoking ? { color: 'red.8' } : { variant: 'default' })}
                onClick={() => begin(what, chosen, false, clear)}
              >
                {label}
              </Button>
            ))}
            <MatchingButton
              matching={matching}
              actions={actions.map(({ what, labelOfAll }) => ({ label: labelOfAll, value: what }))}
              onRead={(what, rows, isMore) => begin(what, rows, isMore, clear)}
            />
          </>
        ),
      },
    },
  }
}

/** Notes that more rows match than are changed. */
export const moreNote = ({ isMore }: { isMore: boolean }, nouns: string): string =>
  isMore ? ` More ${nouns} match: these are the first ${itemsMax.toLocaleString()}.` : ''
