import type { Carrier } from './statement.ts'

const writesForm = /\b(?:insert|update|delete|merge|truncate|copy)\b/i

// The same, except for rows that are only locked.
const changesForm = /(?<!\bfor (?:no key )?)\b(?:insert|update|delete|merge|truncate|copy)\b/i

type Manner = { writes: boolean; changes: boolean }
const manners = new Map<string, Manner>()
const mannersMax = 1_000

/** What a statement does, according to its text. Most are repeated. */
export function mannerOf(text: string): Manner {
  const known = manners.get(text)
  if (known) return known
  const manner = { writes: writesForm.test(text), changes: changesForm.test(text) }
  if (manners.size === mannersMax) manners.clear()
  manners.set(text, manner)
  return manner
}

/** Calls back for statements that changed rows. One that matched none changed nothing. */
export function noticed(carrier: Carrier, onChange: () => void): Carrier {
  const note = <R extends { readonly count: number }>(text: string, rows: R): R => {
    if (rows.count > 0 && mannerOf(text).changes) onChange()
    return rows
  }
  return {
    ...carrier,
    run: async (statement) => note(statement.text, await carrier.run(statement)),
    async runText(text) {
      // Of several statements only the last one is counted.
      const rows = await carrier.runText(text)
      if (mannerOf(text).changes) onChange()
      return rows
    },
    async copyIn(text) {
      const stream = await carrier.copyIn(text)
      stream.once('close', onChange)
      return stream
    },
  }
}
