import type { Worker } from 'node:worker_threads'

/**
 * Calls back when a thread has used more than this much CPU time from now on. CPU time and not the time of day: on a
 * busy machine a thread that does little may take long. Checked ten times within it, so the first tenth may not count.
 */
export function watchThread(worker: Worker, cpuMsMax: number, tooMuch: () => void): () => void {
  let timer: NodeJS.Timeout | undefined
  let isOver = false
  let usedBeforeMs: number | null = null
  const lookLater = (): void => {
    timer = setTimeout(() => void look(), cpuMsMax / 10).unref()
  }
  const look = async (): Promise<void> => {
    // A thread that gets no CPU does not reply, and is awaited; one that has ended rejects.
    const used = await worker.cpuUsage().catch(() => null)
    if (!used || isOver) return
    const usedMs = (used.user + used.system) / 1000
    usedBeforeMs ??= usedMs
    if (usedMs - usedBeforeMs > cpuMsMax) tooMuch()
    else lookLater()
  }
  lookLater()
  return () => {
    isOver = true
    clearTimeout(timer)
  }
}
