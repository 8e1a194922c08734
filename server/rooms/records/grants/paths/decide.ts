export type PathEdgeKind = 'account' | 'grant' | 'nested' | 'rule' | 'binding' | 'resource'
export type PathEdge = { from: string; to: string; kind: PathEdgeKind }

/** Only edges on a path from one node to another: an edge that is on none is left out before paths are counted. */
export function edgesBetween<E extends PathEdge>(edges: readonly E[], start: string, goal: string): E[] {
  const ahead = reached(edges, start, 'from', 'to')
  const behind = reached(edges, goal, 'to', 'from')
  return edges.filter(({ from, to }) => ahead.has(from) && behind.has(to))
}

function reached(edges: readonly PathEdge[], start: string, at: 'from' | 'to', next: 'from' | 'to'): Set<string> {
  const leaving = Map.groupBy(edges, (edge) => edge[at])
  const seen = new Set([start])
  for (const node of seen) for (const edge of leaving.get(node) ?? []) seen.add(edge[next])
  return seen
}

/** At most so many steps are tried: otherwise cycles among nested groups would be followed forever. */
const stepsMax = 50_000

/**
 * Every path from one node to another that visits no node twice, the shortest first; at most so many, and whether there are
 * more.
 */
export function pathsBetween(
  edges: readonly PathEdge[],
  start: string,
  goal: string,
  pathsMax: number,
): { paths: string[][]; isCut: boolean } {
  const leaving = new Map(
    [...Map.groupBy(edgesBetween(edges, start, goal), ({ from }) => from)].map(([from, all]) => [
      from,
      [...new Set(all.map(({ to }) => to))].toSorted(),
    ]),
  )
  const paths: string[][] = []
  let level: string[][] = [[start]]
  for (let steps = 0; level.length > 0; ) {
    const next: string[][] = []
    for (const path of level)
      for (const to of leaving.get(path.at(-1) as string) ?? []) {
        if (path.includes(to)) continue
        if (++steps > stepsMax || paths.length === pathsMax) return { paths, isCut: true }
        if (to === goal) paths.push([...path, to])
        else next.push([...path, to])
      }
    level = next
  }
  return { paths, isCut: false }
}

/**
 * The column of each node in a graph drawn from left to right: after the furthest of its predecessors, except within cycles.
 */
export function layersOf(edges: readonly PathEdge[], start: string): Map<string, number> {
  const nodes = new Set([start, ...edges.flatMap(({ from, to }) => [from, to])])
  const layers = new Map([...nodes].map((node) => [node, 0]))
  // The longest path has as many nodes as there are: only a cycle is left after that.
  for (let round = 0; round < nodes.size; round++) {
    let isChanged = false
    for (const { from, to } of edges) {
      const wanted = Math.min((layers.get(from) ?? 0) + 1, nodes.size - 1)
      if (to === start || wanted <= (layers.get(to) ?? 0)) continue
      layers.set(to, wanted)
      isChanged = true
    }
    if (!isChanged) break
  }
  return layers
}
