import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { reportImport } from '../../cli/import-progress.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

const reading = { phase: 'read', format: 'jsonl', lines: 500, bytes: 512 * 1024, linesWritten: 0 } as const
const writing = { ...reading, phase: 'grant', lines: 1000, linesWritten: 1000 } as const

test('on a terminal there is a bar, drawn over itself, and nothing of it is left', () => {
  const said: string[] = []
  const telling = reportImport({ isTTY: true, columns: 0, write: (text) => said.push(text) }, 1024 * 1024)
  telling.progress(reading)
  vi.advanceTimersByTime(150)
  telling.progress(reading)
  telling.progress(reading)
  vi.advanceTimersByTime(150)
  telling.progress(writing)
  telling.end()
  expect(said).toEqual([
    `\r\u001b[K[${'='.repeat(15)}${' '.repeat(15)}] Reading: 500 lines, 0.5 MiB`,
    `\r\u001b[K[${'='.repeat(30)}] Writing grants: up to line 1000 of 1000`,
    '\r\u001b[K',
  ])
})

test('elsewhere there is a plain line every five seconds, and none for a short import', () => {
  const said: string[] = []
  const telling = reportImport({ write: (text) => said.push(text) }, null)
  telling.progress(reading)
  vi.advanceTimersByTime(5100)
  telling.progress(reading)
  vi.advanceTimersByTime(100)
  telling.progress({ ...reading, phase: 'check' })
  vi.advanceTimersByTime(5100)
  telling.progress({ ...reading, phase: 'check' })
  telling.end()
  expect(said).toEqual(['Reading: 500 lines, 0.5 MiB\n', 'Checking: 500 lines\n'])
})
