import { useNavigate } from '@tanstack/react-router'
import type { MouseEvent, ReactNode } from 'react'
import type { AccessPathEdge, AccessPathNode } from '#client/api/types.ts'
import { useSession } from '../../client/session.ts'
import { sourceWords } from '../../parts/giver.tsx'
import { kindWords, layOut, nodeSize, type Placed, placeOf } from './layout.ts'
import classes from './path-graph.module.css'

type PathGraphProps = {
  label: string
  nodes: readonly AccessPathNode[]
  edges: readonly AccessPathEdge[]
}

const charPx = 6.5
const fits = Math.floor((nodeSize.width - 20) / charPx)
const short = (text: string): string => (text.length > fits ? `${text.slice(0, fits - 1)}…` : text)

/** In a few letters, why one node leads to the next. */
function edgeWords({ kind, reasons }: AccessPathEdge): string {
  if (kind === 'account') return 'has'
  if (kind === 'nested') return 'nested'
  if (kind === 'rule') return 'rule'
  if (kind === 'binding') return 'binding'
  if (kind === 'resource') return 'gives access'
  return [...new Set(reasons.map(({ source }) => sourceWords(source).toLowerCase()))].join(', ') || 'granted'
}

/** How one thing leads to another, from left to right. Every node is a link to its page. */
export function PathGraph({ label, nodes, edges }: PathGraphProps): ReactNode {
  const drawing = layOut(nodes, edges)
  const at = new Map(drawing.nodes.map((node) => [node.key, node]))
  return (
    <div className={classes.scroll}>
      <svg width={drawing.width} height={drawing.height} role="group" aria-label={label} className={classes.graph}>
        <defs>
          <marker id="path-arrow" viewBox="0 0 8 8" refX={7} refY={4} markerWidth={7} markerHeight={7} orient="auto">
            <path className={classes.arrow} d="M0 0 L8 4 L0 8 z" />
          </marker>
        </defs>
        {edges.map((edge) => {
          const [from, to] = [at.get(edge.from), at.get(edge.to)]
          return from && to && <Edge key={`${edge.from} ${edge.to} ${edge.kind}`} edge={edge} from={from} to={to} />
        })}
        {drawing.nodes.map((node) => (
          <Node key={node.key} node={node} />
        ))}
      </svg>
    </div>
  )
}

function Edge({ edge, from, to }: { edge: AccessPathEdge; from: Placed; to: Placed }): ReactNode {
  const [x1, y1] = [from.x + nodeSize.width, from.y + nodeSize.height / 2]
  const [x2, y2] = [to.x - 2, to.y + nodeSize.height / 2]
  const bend = Math.max(30, Math.abs(x2 - x1) / 2)
  return (
    <g aria-hidden>
      <path
        className={classes.edge}
        data-kind={edge.kind}
        d={`M${x1} ${y1} C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`}
        markerEnd="url(#path-arrow)"
      />
      <text className={classes.why} x={(x1 + x2) / 2} y={(y1 + y2) / 2 - 5} textAnchor="middle">
        {edgeWords(edge)}
      </text>
    </g>
  )
}

/** Callers who may not open the page of a node see it here nevertheless. */
const permissionOf: Readonly<Record<string, string>> = {
  account: 'accounts.read',
  entitlement: 'entitlements.read',
  resource: 'apps.read',
}

function Node({ node }: { node: Placed }): ReactNode {
  const navigate = useNavigate()
  const { may } = useSession()
  const to = placeOf(node)
  const open = (event: MouseEvent): void => {
    // Who wants it in another window gets it there.
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return
    event.preventDefault()
    void navigate({ href: to })
  }
  const needed = permissionOf[node.kind]
  const label = [`${kindWords[node.kind]} ${node.displayName}`, node.about].filter(Boolean).join(', ')
  const common = { className: classes.node, 'data-kind': node.kind }
  const drawn = (
    <>
      <rect x={node.x} y={node.y} width={nodeSize.width} height={nodeSize.height} rx={6}>
        <title>{label}</title>
      </rect>
      <text className={classes.name} x={node.x + 10} y={node.y + 19}>
        {short(node.displayName)}
      </text>
      <text className={classes.about} x={node.x + 10} y={node.y + 36}>
        {short([kindWords[node.kind], node.about].filter(Boolean).join(' · '))}
      </text>
    </>
  )
  return needed && !may(needed) ? (
    <g {...common} role="img" aria-label={label} tabIndex={0}>
      {drawn}
    </g>
  ) : (
    <a {...common} href={to} onClick={open}>
      {drawn}
    </a>
  )
}
