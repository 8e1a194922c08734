import { vi } from 'vitest'
import { run } from '../../cli/run.ts'

/** Runs the `bailiwick` command in this process, which takes a tenth of what a process of its own takes. */
export async function runHere(args: readonly string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  let [stdout, stderr] = ['', '']
  const printed = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    stdout += String(text)
    return true
  })
  const refused = vi.spyOn(console, 'error').mockImplementation((text) => {
    stderr += `${String(text)}\n`
  })
  try {
    return { code: await run(args), stdout, stderr }
  } finally {
    printed.mockRestore()
    refused.mockRestore()
  }
}
