import { availableParallelism, totalmem } from 'node:os'

const gibibyte = 2 ** 30
/** More would compete for the same connections to one PostgreSQL. */
const workersMax = 16

/**
 * As many workers as help. One on machines with one or two cores, and where there are less than 3 GiB of memory. Otherwise,
 * with the embedded PostgreSQL, three quarters of the cores: of the CPU time of a request, 14% (a page of users) to 24% (a token) were
 * PostgreSQL's. With a PostgreSQL of the operator's own, all cores but one. A worker takes 145 MB when idle and up to 350 MB under load, so at most one per GiB.
 */
export function usualWorkers(
  isEmbedded: boolean,
  cores = availableParallelism(),
  // Without a limit, some systems report 0, and others more than there is.
  memoryBytes = Math.min(totalmem(), process.constrainedMemory() || totalmem()),
): number {
  if (cores <= 2) return 1
  const byCores = isEmbedded ? Math.floor((cores * 3) / 4) : cores - 1
  return Math.max(1, Math.min(workersMax, byCores, Math.floor(memoryBytes / gibibyte) - 1))
}
