/** The program: what a process can be. */
export { buildConsole } from './start/console-files.ts'
export type { Progress } from './start/first-tenant.ts'
export { serve } from './start/serve.ts'
export { serveAsWorker } from './start/serve-as-worker.ts'
export { serveByWorkers } from './start/serve-by-workers.ts'
export type { Serving } from './start/serving.ts'
export { WorkerFailed } from './workers/primary.ts'
