/**
 * The grants in a file that the database has already: the reader passes on only those that are new or differ. Exact, except
 * for the sources of a grant, which are compared by a sum of 40 random bits for each.
 */

/** What the reader is sent before it begins: rows of COPY, in pieces that may end anywhere. */
export type KnownPart = 'entitlements' | 'accounts' | 'grants' | 'sources'

/** `same`: nothing to do. `again`: a repetition within the file. `new`: it is passed on. */
type Taken = 'same' | 'again' | 'new'

export type Known = {
  add(part: KnownPart, bytes: Uint8Array): void
  /** To be called once everything was added, and before any other method. */
  end(): void
  /** Notes an entitlement or an account that the file has. */
  noteEntitlement(id: string): void
  noteAccount(key: string): void
  take(entitlement: string, account: string, sources: readonly string[]): Taken
  /** Those that the file does not have, or has in vain, as the numbers of the entitlement and of the account. */
  untold(): Generator<[entitlement: number, account: number]>
  /** Ids of grants that cannot be compared here, such as those that expire. */
  readonly others: readonly string[]
}

const empty = -1
/** A grant in the file without its entitlement or account: it is removed as if it were not in the file. */
const inVain = 2
/** Sums of this many 40-bit numbers are exact. */
const sourcesMax = 4096

/** Pairs of an entitlement and an account, by their numbers. Each pair has a number too: they are counted up from 0. */
function pairTable() {
  let pairs = new Int32Array(1024)
  let count = 0
  let slots = new Int32Array(0)
  let mask = 0

  const hashOf = (entitlement: number, account: number): number => {
    const mixed = Math.imul(entitlement, 0x9e3779b1) ^ Math.imul(account, 0x85ebca6b)
    return (mixed ^ (mixed >>> 15)) & mask
  }
  const entitlementOf = (pair: number): number => pairs[pair * 2] as number
  const accountOf = (pair: number): number => pairs[pair * 2 + 1] as number

  return {
    entitlementOf,
    accountOf,
    count: () => count,
    add(entitlement: number, account: number): void {
      if (count * 2 === pairs.length) {
        const larger = new Int32Array(pairs.length * 2)
        larger.set(pairs)
        pairs = larger
      }
      pairs[count * 2] = entitlement
      pairs[count * 2 + 1] = account
      count++
    },
    /** To be called once all were added, and before `find`. */
    index(): void {
      let size = 16
      while (size < count * 2) size *= 2
      slots = new Int32Array(size).fill(empty)
      mask = size - 1
      for (let pair = 0; pair < count; pair++) {
        let slot = hashOf(entitlementOf(pair), accountOf(pair))
        while (slots[slot] !== empty) slot = (slot + 1) & mask
        slots[slot] = pair
      }
    },
    isIndexed: () => slots.length > 0,
    /** The pair, or -1. */
    find(entitlement: number, account: number): number {
      for (let slot = hashOf(entitlement, account); ; slot = (slot + 1) & mask) {
        const pair = slots[slot] as number
        if (pair === empty) return empty
        if (pairs[pair * 2] === entitlement && pairs[pair * 2 + 1] === account) return pair
      }
    },
  }
}

/** Takes the bytes of each part in pieces, and passes them on line by line. */
function lineReader(takeLine: Readonly<Record<KnownPart, (line: string) => void>>) {
  const rests: Record<KnownPart, string> = { entitlements: '', accounts: '', grants: '', sources: '' }
  const decoders = {
    entitlements: newDecoder(),
    accounts: newDecoder(),
    grants: newDecoder(),
    sources: newDecoder(),
  }
  return (part: KnownPart, bytes: Uint8Array): void => {
    const lines = (rests[part] + decoders[part].decode(bytes, { stream: true })).split('\n')
    rests[part] = lines.pop() as string
    for (const line of lines) takeLine[part](line)
  }
}

export function openKnown(): Known {
  const entitlements = new Map<string, number>()
  const accounts = new Map<string, number>()
  const { add: addPair, find, ...pairs } = pairTable()
  const others: string[] = []
  let told = new Uint8Array(0)
  let toldEntitlements = new Uint8Array(0)
  let toldAccounts = new Uint8Array(0)
  /** By pair; only if any grant has sources. */
  let sums: Float64Array | null = null
  let randoms = new Float64Array(0)

  const endGrants = (): void => {
    if (pairs.isIndexed()) return
    pairs.index()
    told = new Uint8Array(pairs.count())
    toldEntitlements = new Uint8Array(entitlements.size)
    toldAccounts = new Uint8Array(accounts.size)
    randoms = Float64Array.from({ length: entitlements.size }, () => Math.floor(Math.random() * 2 ** 40))
  }
  const addSource = (entitlement: number, source: number, account: number): void => {
    const pair = find(entitlement, account)
    if (pair === empty) return
    sums ??= new Float64Array(pairs.count())
    sums[pair] = (sums[pair] as number) + (randoms[source] as number)
  }
  const addText = lineReader({
    entitlements: (line) => void entitlements.set(unescaped(line), entitlements.size),
    accounts: (line) => void accounts.set(unescaped(line), accounts.size),
    // An entitlement, the accounts that have it, and the ids of its grants that cannot be compared.
    grants(line) {
      const [entitlement, ofAccounts, ids] = line.split('\t') as [string, string, string]
      for (const account of listed(ofAccounts)) addPair(Number(entitlement), Number(account))
      for (const id of listed(ids)) others.push(id)
    },
    // An entitlement, one through which it is held, and the accounts that hold it so.
    sources(line) {
      const [entitlement, source, ofAccounts] = line.split('\t') as [string, string, string]
      for (const account of listed(ofAccounts)) addSource(Number(entitlement), Number(source), Number(account))
    },
  })

  return {
    others,
    add(part, bytes) {
      // All grants have been added before the first source.
      if (part === 'sources') endGrants()
      addText(part, bytes)
    },
    end: endGrants,
    noteEntitlement: (id) => mark(toldEntitlements, entitlements.get(id)),
    noteAccount: (key) => mark(toldAccounts, accounts.get(key)),
    take(entitlement, account, sources) {
      const [e, a] = [entitlements.get(entitlement), accounts.get(account)]
      if (e === undefined || a === undefined) return 'new'
      const pair = find(e, a)
      if (pair === empty) return 'new'
      if (told[pair] !== 0) return 'again'
      const isWhole = toldEntitlements[e] === 1 && toldAccounts[a] === 1
      told[pair] = isWhole ? 1 : inVain
      // Passed on: a grant whose entitlement or account is not in the file is not imported, but reported.
      if (!isWhole) return 'new'
      if (sources.length > sourcesMax) return 'new'
      let sum = 0
      for (const source of sources.length > 1 ? new Set(sources) : sources) {
        const place = entitlements.get(source)
        if (place === undefined) return 'new'
        if (toldEntitlements[place] === 1) sum += randoms[place] as number
      }
      return sum === (sums ? sums[pair] : 0) ? 'same' : 'new'
    },
    *untold() {
      for (let pair = 0; pair < told.length; pair++)
        if (told[pair] !== 1) yield [pairs.entitlementOf(pair), pairs.accountOf(pair)]
    },
  }
}

function mark(marks: Uint8Array, place: number | undefined): void {
  if (place !== undefined) marks[place] = 1
}

// An id may begin with the bytes of a byte order mark.
const newDecoder = (): TextDecoder => new TextDecoder('utf-8', { ignoreBOM: true })

/** An array of numbers or ids as COPY writes it. */
const listed = (text: string): string[] => (text === '\\N' ? [] : text.slice(1, -1).split(','))

// https://www.postgresql.org/docs/18/sql-copy.html#SQL-COPY-FILE-FORMATS
const escapes: Record<string, string> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' }
const unescaped = (text: string): string =>
  text.includes('\\') ? text.replace(/\\(.)/g, (_, letter: string) => escapes[letter] ?? letter) : text
