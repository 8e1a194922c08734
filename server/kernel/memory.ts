import type { Memory, Slot, World } from './world.ts'

export const slot = <T>(make: (world: World) => T): Slot<T> => ({ make })

export function openMemory(world: () => World): Memory {
  const made = new Map<Slot<unknown>, unknown>()
  return <T>(asked: Slot<T>): T => {
    if (!made.has(asked)) made.set(asked, asked.make(world()))
    return made.get(asked) as T
  }
}
