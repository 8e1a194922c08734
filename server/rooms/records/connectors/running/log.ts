import { cleanLine } from '#kernel/programs/output.ts'
import type { LogLine } from '../program/seal.ts'

const linesMax = 200

/** The last lines that a program printed, as they may be shown. */
export function openLines(now: () => Date, onChange: () => void) {
  const lines: LogLine[] = []
  let forms: readonly string[] = []
  const keep = (text: string): void => {
    lines.push({ at: now().toISOString(), text })
    if (lines.length > linesMax) lines.splice(0, lines.length - linesMax)
    onChange()
  }
  return {
    lines: (): readonly LogLine[] => lines,
    /** What is replaced from now on. */
    hide(secrets: readonly string[]): void {
      forms = secrets
    },
    take(line: string): void {
      const text = cleanLine(line, forms)
      if (text !== '') keep(text)
    },
    /** A line of the server about the program. */
    note: (text: string): void => keep(`[server] ${cleanLine(text, forms)}`),
  }
}

export type Lines = ReturnType<typeof openLines>
