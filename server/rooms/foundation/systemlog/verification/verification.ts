import type { Finding } from '../verify/verdict.ts'

/** One look at the chain, or at the part of it behind the last one. */
export type Verification = {
  id: string
  byKind: 'server' | 'user' | 'command'
  byId: string
  byName: string
  startedAt: Date
  finishedAt: Date
  /** When the walk began that read the log from its beginning, which this one continues. */
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
