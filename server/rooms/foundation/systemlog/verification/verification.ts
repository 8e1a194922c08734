import type { Finding } from '../verify/verdict.ts'

/** One verification of the chain, or of the part of it after the last one. */
export type Verification = {
  id: string
  byKind: 'server' | 'user' | 'command'
  byId: string
  byName: string
  startedAt: Date
  finishedAt: Date
  /** When the walk began that read the log from its beginning, and that this one continues. */
  walkBeganAt: Date
  fromSeal: number
  sealNumber: number
  sealMac: Buffer
  eventCount: number
  isComplete: boolean
  findingCount: number
  findings: readonly Finding[]
}

export type By = Pick<Verification, 'byKind' | 'byId' | 'byName'>
export const byServer: By = { byKind: 'server', byId: '', byName: '' }
