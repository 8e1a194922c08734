import { rmSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { endProgram } from './ending.ts'
import type { Started } from './processes.ts'

/*
 * Runs beside a server that has started programs, and outlives it: when the server has ended, which closes the pipe however it
 * ended, kill -9 included, it ends all programs that are left, and itself.
 */
export type ToWatcher = { watch: Started } | { forget: string } | { folder: string }

const graceMs = 3_000

// Whoever stops everything at once stops the server too.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})

const started = new Map<string, Started>()
const folders: string[] = []
for await (const line of createInterface({ input: process.stdin })) {
  const order = JSON.parse(line) as ToWatcher
  if ('watch' in order) started.set(order.watch.folder, order.watch)
  else if ('forget' in order) started.delete(order.forget)
  else folders.push(order.folder)
}
await Promise.all([...started.values()].map((each) => endProgram(each, graceMs).catch(() => {})))
for (const folder of folders) rmSync(folder, { recursive: true, force: true })
