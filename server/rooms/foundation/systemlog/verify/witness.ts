import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import type { Reads } from '#kernel/sql.ts'
import { findSeals } from '../seals.ts'

const headsAtOnce = 500
const namedMax = 100

/** Checks every head of a tenant in the file of a witness: each must be in the chain. Reads the file line by line. */
export async function checkWitness(
  db: Reads,
  tenant: { id: number; publicId: string },
  file: string,
  found: (what: string) => void,
): Promise<number> {
  let checked = 0
  let wrong = 0
  let batch: { line: number; number: number; mac: string }[] = []
  const report = (what: string): void => {
    if (++wrong <= namedMax) found(what)
  }
  const check = async (): Promise<void> => {
    const seals = await findSeals(
      db,
      tenant.id,
      batch.map(({ number }) => number),
    )
    const macs = new Map(seals.map(({ sealNumber, mac }) => [sealNumber, mac.toString('hex')]))
    for (const { line, number, mac } of batch)
      if (macs.get(number) !== mac) report(`the head ${number} in line ${line} of the witness file is not in the chain`)
    checked += batch.length
    batch = []
  }
  let line = 0
  for await (const text of createInterface({ input: createReadStream(file, 'utf8'), crlfDelay: Infinity })) {
    line++
    if (text.trim() === '') continue
    const heads = headsIn(text)
    if (!heads) report(`line ${line} of the witness file is not a head`)
    for (const { tenant: publicId, head } of heads ?? []) {
      if (publicId !== tenant.publicId) continue
      const [, number, mac = ''] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(head) ?? []
      if (number === undefined) report(`line ${line} of the witness file is not a head`)
      else batch.push({ line, number: Number(number), mac })
    }
    if (batch.length >= headsAtOnce) await check()
  }
  await check()
  if (wrong > namedMax) found(`${wrong - namedMax} more heads of the witness file are not in the chain`)
  return checked
}

type Head = { tenant: string; head: string }

/** A line is one head, or what an HTTP witness was sent. */
function headsIn(text: string): Head[] | null {
  try {
    const json = JSON.parse(text) as Partial<Head> & { heads?: Partial<Head>[] }
    const all = json.heads ?? [json]
    return all.every(({ tenant, head }) => typeof tenant === 'string' && typeof head === 'string')
      ? (all as Head[])
      : null
  } catch {
    return null
  }
}
