import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { importCreate } from '#client/api/operations.ts'
import type { Import } from '#client/api/types.ts'
import { ApiError } from '#client/api-error.ts'
import { upload } from '../../../client/upload.ts'
import type { Mapping } from './guess.ts'
import type { Options, Problem, Records } from './reader.ts'
import { recordsOf, refusedRows, textOf } from './records.ts'
import type { Row } from './table.ts'

export type Checked = { records: Records; problems: readonly Problem[]; done: Import | null }
export type Wanted = {
  rows: readonly Row[]
  mapping: Mapping
  options: Options
  isFull: boolean
  isForced: boolean
  isDryRun: boolean
}

type Running = {
  run: UseMutationResult<Checked, Error, Wanted>
  /** From 0 to 1: how much of the file was sent. */
  sent: number
  cancel: () => void
}

/** Checks a file as an import would, or imports it: first what is known here, then what the server knows. */
export function useCheck(onChecked: (checked: Checked) => void): Running {
  const client = useQueryClient()
  const [sent, setSent] = useState(0)
  const abort = useRef<AbortController | null>(null)
  const run = useMutation({
    async mutationFn({ rows, mapping, options, isFull, isForced, isDryRun }: Wanted): Promise<Checked> {
      setSent(0)
      abort.current = new AbortController()
      const records = recordsOf(rows, mapping, options)
      if (records.problems.length > 0) return { records, problems: records.problems, done: null }
      const file = new Blob([textOf(records)])
      const sending = { type: 'application/jsonl', onSent: setSent, signal: abort.current.signal }
      const query = { full: isFull, force: isForced, dry_run: isDryRun }
      try {
        const { import: done } = await upload(importCreate, { query, file }, sending)
        return { records, problems: [], done: done ?? null }
      } catch (error) {
        if (!(error instanceof ApiError) || error.reason !== 'IMPORT_REFUSED') throw error
        return { records, problems: refusedRows(error.violations, records), done: null }
      }
    },
    async onSuccess(checked) {
      onChecked(checked)
      // Anything may have changed.
      if (checked.done && !checked.done.isDryRun) await client.invalidateQueries()
    },
  })
  return { run, sent, cancel: () => abort.current?.abort() }
}
