import { htmlOf, textOf } from './look.ts'
import type { Place } from './notice.ts'
import { sampleNotices } from './samples.ts'

/** Every message as files, for developers who change how they look. */
export const previewFiles = (place: Place): { name: string; content: string }[] =>
  Object.entries(sampleNotices(place)).flatMap(([name, notice]) => [
    { name: `${name}.html`, content: htmlOf(place, notice) },
    { name: `${name}.txt`, content: `Subject: ${notice.subject}\n\n${textOf(place, notice)}` },
  ])
