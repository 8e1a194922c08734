import type { Manifest } from '../manifest.ts'

/** Something that is not as it was signed, and how it differs, if that can be told. */
export type Finding = { what: string; details: readonly string[] }

/**
 * Whether the key that signed a pack is the one that is known from elsewhere. Anybody can create a key and
 * sign with it: unless it is compared, a signature only shows that nothing was changed since.
 */
export type Signer = 'known' | 'other' | 'unchecked' | 'unknown'

export type Verdict = {
  /** What the pack says of itself; null if it cannot be read. */
  manifest: Manifest | null
  /** Of the key in the pack. */
  fingerprint: string
  signer: Signer
  /** How many events it cites; null if it has none. */
  events: number | null
  /** Whether they were verified with the secret key of the installation. */
  areEventsVerified: boolean
  /** The end of the log when it was created; empty if it does not say. */
  head: string
  findings: readonly Finding[]
}
