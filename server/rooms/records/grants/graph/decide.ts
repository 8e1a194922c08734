export type NodeType =
  | 'GRAPH_NODE_TYPE_USER'
  | 'GRAPH_NODE_TYPE_APP_USER'
  | 'GRAPH_NODE_TYPE_ENTITLEMENT'
  | 'GRAPH_NODE_TYPE_RESOURCE'
export type GraphNode = {
  id: string
  type: NodeType
  displayName: string
  secondaryText: string
  appId: string
  resourceTypeId: string
}
export type EdgeType =
  | 'GRAPH_EDGE_TYPE_IDENTITY_LINK'
  | 'GRAPH_EDGE_TYPE_DIRECT_GRANT'
  | 'GRAPH_EDGE_TYPE_RESOURCE_HIERARCHY'
  | 'GRAPH_EDGE_TYPE_PROXY_BINDING'
export type Edge = { sourceId: string; targetId: string; type: EdgeType }

export type GraphLimits = { depth: number; nodes: number; fanOut: number }

const limitsBy = { depth: [6, 10], nodes: [500, 5000], fanOut: [100, 1000] } as const
const bounded = (asked: number, [byDefault, max]: readonly [number, number]): number =>
  asked <= 0 ? byDefault : Math.min(asked, max)

/** The limits of a graph: as requested, within bounds. A request of 0 uses the default. */
export const graphLimits = (asked: { maxDepth: number; maxNodes: number; maxFanOut: number }): GraphLimits => ({
  depth: bounded(asked.maxDepth, limitsBy.depth),
  nodes: bounded(asked.maxNodes, limitsBy.nodes),
  fanOut: bounded(asked.maxFanOut, limitsBy.fanOut),
})

export type Graph = {
  nodes: GraphNode[]
  edges: (Edge & { isTruncated: boolean; hiddenChildren: number })[]
  truncatedNodeIds: string[]
  nodeCeilingHit: boolean
}

/**
 * What is reached from a root within the limits, breadth first: with too many nodes, the distant ones are omitted. `step` is
 * the direction in which edges are followed.
 */
export function growGraph(
  rootId: string,
  all: ReadonlyMap<string, GraphNode>,
  edges: readonly Edge[],
  step: 'forward' | 'backward',
  limits: GraphLimits,
): Graph {
  const fromOf = ({ sourceId, targetId }: Edge): string => (step === 'forward' ? sourceId : targetId)
  const toOf = ({ sourceId, targetId }: Edge): string => (step === 'forward' ? targetId : sourceId)
  const leaving = Map.groupBy(
    edges.filter((edge) => all.has(edge.sourceId) && all.has(edge.targetId)),
    fromOf,
  )
  const taken = new Set<string>([rootId])
  const shown: Edge[] = []
  const hidden = new Map<string, number>()
  let nodeCeilingHit = false
  let level = [rootId]
  for (let depth = 0; level.length > 0; depth++) {
    const next: string[] = []
    for (const id of level) {
      const ways = leaving.get(id) ?? []
      let followed = 0
      for (const edge of depth < limits.depth ? ways.slice(0, limits.fanOut) : []) {
        const to = toOf(edge)
        const isNew = !taken.has(to)
        if (isNew && taken.size >= limits.nodes) {
          nodeCeilingHit = true
          continue
        }
        followed++
        shown.push(edge)
        if (isNew) {
          taken.add(to)
          next.push(to)
        }
      }
      if (followed < ways.length) hidden.set(id, ways.length - followed)
    }
    level = next
  }
  return {
    nodes: [...taken].flatMap((id) => all.get(id) ?? []),
    edges: shown.map((edge) => {
      const hiddenChildren = hidden.get(toOf(edge)) ?? 0
      return { ...edge, hiddenChildren, isTruncated: hiddenChildren > 0 }
    }),
    truncatedNodeIds: [...hidden.keys()],
    nodeCeilingHit,
  }
}

export const bands = [
  'GRAPH_SIZE_BAND_UNSPECIFIED',
  'GRAPH_SIZE_BAND_NORMAL',
  'GRAPH_SIZE_BAND_SUMMARIZED',
  'GRAPH_SIZE_BAND_TOO_LARGE',
] as const
const summarizedFrom = 500
const tooLargeFrom = 5000

/** How large a graph of so many grants would be. */
export function bandOf(grants: number): (typeof bands)[number] {
  if (grants < summarizedFrom) return 'GRAPH_SIZE_BAND_NORMAL'
  return grants < tooLargeFrom ? 'GRAPH_SIZE_BAND_SUMMARIZED' : 'GRAPH_SIZE_BAND_TOO_LARGE'
}
