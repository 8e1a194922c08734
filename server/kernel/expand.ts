import { camel, flag, list, message, struct, text } from './wire.ts'

/** Which neighbours a caller requests: their names are the fields that refer to them. */
export const ExpandMask = message('ExpandMask', { paths: list(text(), 100) })

/** Neighbours, each once: a view has the path of its own (`$.expanded[0]`), or nothing. */
export const expandedField = list(struct())

export type Expanded = {
  wants(path: string): boolean
  /** Adds a neighbour, once, and returns its path. */
  put(type: string, id: string, value: object): string
  list(): Record<string, unknown>[]
}

export function expansion(mask: { paths: readonly string[] } | null): Expanded {
  const wanted = new Set((mask?.paths ?? []).map(camel))
  const places = new Map<string, number>()
  const items: Record<string, unknown>[] = []
  return {
    wants: (path) => wanted.has('*') || wanted.has(path),
    put(type, id, value) {
      const key = `${type} ${id}`
      let place = places.get(key)
      if (place === undefined) {
        place = items.length
        places.set(key, place)
        items.push({ '@type': `type.googleapis.com/c1.api.${type}`, ...value })
      }
      return `$.expanded[${place}]`
    },
    list: () => items,
  }
}

/** What the caller may do with the object that a view shows. */
export const ObjectPermissions = message('app.v1.ObjectPermissions', {
  read: flag(),
  edit: flag(),
  delete: flag(),
})
