import type { Document } from '../pdf/document.ts'

/**
 * A kind of subject of evidence packs: how its data becomes a table and a document. Both are functions of the data alone,
 * so that whoever verifies a pack can write them again and compare.
 */
export type Kind = {
  /** As in the manifest. */
  name: string
  /** Whether this is data of this kind, as far as the other functions read it. */
  isData(value: unknown): boolean
  /** The CSV. */
  table(data: never): Buffer
  document(data: never): Document
}
