export type PathEdgeKind = 'account' | 'grant' | 'nested' | 'rule' | 'binding' | 'resource'
export type PathEdge = { from: string; to: string; kind: PathEdgeKind }

/** Only edges on a way from one node to another: what does not begin or end there is left out before ways are counted. */
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

/** So many steps are tried at the most: circles among nested groups would else be walked for ever. */
const stepsMax = 50_000

/** Every way from one node to another that meets no node twice, the shortest first; at most so many, and whether there are more. */
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

/** The column of each node in a picture that goes from left to right: behind the furthest of those that lead to it, as far as no circle does. */
export function layersOf(edges: readonly PathEdge[], start: string): Map<string, number> {
  const nodes = new Set([start, ...edges.flatMap(({ from, to }) => [from, to])])
  const layers = new Map([...nodes].map((node) => [node, 0]))
  // A node is at most as far as there are nodes: a circle is left after that.
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
