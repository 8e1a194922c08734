import type { AccessPathEdge, AccessPathNode } from '#client/api/types.ts'

export const nodeSize = { width: 210, height: 46 }
const gap = { x: 92, y: 18 }
const margin = 8

export type Placed = AccessPathNode & { x: number; y: number }
export type Drawing = { nodes: Placed[]; width: number; height: number }

/**
 * Where the nodes of a graph are drawn: in columns from left to right by their layer, in each column by the middle of what leads
 * to them, so that edges cross as little as a simple way can have it.
 */
export function layOut(nodes: readonly AccessPathNode[], edges: readonly AccessPathEdge[]): Drawing {
  const columns = [...Map.groupBy(nodes, ({ layer }) => layer)].toSorted(([a], [b]) => a - b)
  const places = new Map<string, number>()
  const placed: Placed[] = []
  const tallest = Math.max(1, ...columns.map(([, column]) => column.length))
  const full = tallest * nodeSize.height + (tallest - 1) * gap.y
  for (const [index, [, column]] of columns.entries()) {
    const middle = (key: string): number => {
      const from = edges.filter(({ to }) => to === key).flatMap((edge) => places.get(edge.from) ?? [])
      return from.length > 0 ? from.reduce((sum, each) => sum + each, 0) / from.length : 0
    }
    const sorted = column.toSorted(
      (a, b) => middle(a.key) - middle(b.key) || a.displayName.localeCompare(b.displayName) || (a.key < b.key ? -1 : 1),
    )
    const height = sorted.length * nodeSize.height + (sorted.length - 1) * gap.y
    for (const [row, node] of sorted.entries()) {
      const y = margin + (full - height) / 2 + row * (nodeSize.height + gap.y)
      places.set(node.key, y)
      placed.push({ ...node, x: margin + index * (nodeSize.width + gap.x), y })
    }
  }
  return {
    nodes: placed,
    width: 2 * margin + columns.length * nodeSize.width + Math.max(0, columns.length - 1) * gap.x,
    height: 2 * margin + full,
  }
}

export type Branch = { node: AccessPathNode; edge: AccessPathEdge | null; branches: Branch[] }

/** The same as a nested list: the paths, where those that begin alike share their beginning. */
export function branchesOf(
  paths: readonly { keys: readonly string[] }[],
  nodes: readonly AccessPathNode[],
  edges: readonly AccessPathEdge[],
): Branch[] {
  const nodeOf = new Map(nodes.map((node) => [node.key, node]))
  const roots: Branch[] = []
  for (const { keys } of paths) {
    let level = roots
    for (const [index, key] of keys.entries()) {
      const node = nodeOf.get(key)
      if (!node) break
      let branch = level.find((each) => each.node.key === key)
      if (!branch) {
        const edge = edges.find(({ from, to }) => from === keys[index - 1] && to === key) ?? null
        branch = { node, edge, branches: [] }
        level.push(branch)
      }
      level = branch.branches
    }
  }
  return roots
}

/** The page of a node. */
export function placeOf({ kind, id, appId, appResourceTypeId }: AccessPathNode): string {
  if (kind === 'user') return `/users/${id}`
  if (kind === 'account') return `/apps/${appId}/accounts/${id}`
  if (kind === 'resource') return `/apps/${appId}/resources/${appResourceTypeId}/${id}`
  return `/apps/${appId}/entitlements/${id}`
}

export const kindWords: Readonly<Record<string, string>> = {
  user: 'Person',
  account: 'Account',
  entitlement: 'Entitlement',
  resource: 'Resource',
}
