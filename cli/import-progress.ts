import type { Progress } from '#rooms/records/imports/index.ts'

export type Reporting = { progress(progress: Progress): void; end(): void }
type Screen = { isTTY?: boolean; columns?: number; write(text: string): unknown }

const onScreenEveryMs = 100
const inLinesEveryMs = 5000
const barWidth = 30
// Some terminals report 0 columns.
const columnsDefault = 80

const words: Record<Progress['phase'], string> = {
  read: 'Reading',
  check: 'Checking',
  remove: 'Removing',
  user: 'Writing users',
  app: 'Writing apps',
  resource_type: 'Writing resource types',
  resource: 'Writing resources',
  entitlement: 'Writing entitlements',
  account: 'Writing accounts',
  grant: 'Writing grants',
}

/** Reports the progress of an import: a bar on a terminal; elsewhere a line at intervals, and none for a short import. */
export function reportImport(screen: Screen, bytesInAll: number | null): Reporting {
  const everyMs = screen.isTTY ? onScreenEveryMs : inLinesEveryMs
  let next = performance.now() + everyMs
  let isDrawn = false

  const lineOf = ({ phase, lines, bytes, linesWritten }: Progress): string => {
    const mebibytes = `${(bytes / 1024 / 1024).toFixed(1)} MiB`
    if (phase === 'read') return `${bar(bytesInAll && bytes / bytesInAll)}${words.read}: ${lines} lines, ${mebibytes}`
    if (phase === 'check' || phase === 'remove') return `${words[phase]}: ${lines} lines`
    return `${bar(lines > 0 ? linesWritten / lines : null)}${words[phase]}: up to line ${linesWritten} of ${lines}`
  }
  const bar = (share: number | null): string => {
    if (!screen.isTTY || share === null) return ''
    const full = Math.round(Math.min(share, 1) * barWidth)
    return `[${'='.repeat(full)}${' '.repeat(barWidth - full)}] `
  }
  return {
    progress(progress) {
      if (performance.now() < next) return
      next = performance.now() + everyMs
      const line = lineOf(progress)
      if (!screen.isTTY) return void screen.write(`${line}\n`)
      isDrawn = true
      screen.write(`\r\u001b[K${line.slice(0, (screen.columns || columnsDefault) - 1)}`)
    },
    end() {
      if (isDrawn) screen.write('\r\u001b[K')
    },
  }
}
