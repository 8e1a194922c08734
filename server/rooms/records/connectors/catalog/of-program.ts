import type { World } from '#kernel/world.ts'
import { descriptions } from '../folder/describe.ts'
import type { ProgramFile } from '../folder/list.ts'
import { readDeclared } from './declared.ts'
import type { CatalogEntry } from './entry.ts'
import { findEntry } from './find.ts'

/** A program that is not in the catalog, before it has been asked about its settings. */
export const entryOfUnknown = ({ name }: Pick<ProgramFile, 'name'>): CatalogEntry => ({
  id: name,
  displayName: name,
  reads: [],
  provisions: [],
  createsAccounts: false,
  settings: [],
  groups: [],
})

/** The settings of a program: those of the catalog, else those that it prints itself. Null if neither is known. */
export async function describeProgram(world: World, file: ProgramFile): Promise<CatalogEntry | null> {
  const known = findEntry(file.name)
  if (known) return known
  const text = await world.memory(descriptions).of(file)
  const declared = text === null ? null : readDeclared(text)
  if (!declared) return null
  return { ...entryOfUnknown(file), ...declared, displayName: declared.displayName || file.name }
}
