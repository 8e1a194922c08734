import type { Rehearsed } from '../rehearse.ts'
import { type PlannedStep, stepWords } from '../step-kinds.ts'

export type Change = {
  kind: 'added' | 'removed' | 'changed'
  /** From 1: in the new route, or in the old one for removed steps. */
  place: number
  step: string
  /** Whether other people would decide it. */
  isOtherPeople: boolean
}

/** jsonb sorts the names of an object in its own order: equal objects must give equal texts. */
const inOrder = (_name: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    : value
const keyOf = ({ wire }: PlannedStep): string => JSON.stringify(wire, inOrder)
const peopleOf = ({ assignees }: PlannedStep): string =>
  assignees
    .map(({ userId }) => userId)
    .toSorted()
    .join()

/** The difference between a new route and an old one: the fewest steps that were added and removed. */
export function differenceOf({ steps: before }: Rehearsed, { steps: after }: Rehearsed): Change[] {
  const same = commonOf(before.map(keyOf), after.map(keyOf))
  const gone = before.filter((_, place) => !same.some(([a]) => a === place))
  const come = after.filter((_, place) => !same.some(([, b]) => b === place))
  const changes: Change[] = []
  // A removed and an added approval count as a changed one, in the order of the steps.
  const goneApprovals = gone.filter(({ step }) => step.kind === 'approval')
  const replaced = new Set<PlannedStep>()
  for (const each of come) {
    const old = each.step.kind === 'approval' ? goneApprovals.shift() : undefined
    if (old) replaced.add(old)
    const isOtherPeople = old === undefined ? each.assignees.length > 0 : peopleOf(old) !== peopleOf(each)
    changes.push({ kind: old ? 'changed' : 'added', place: each.place + 1, step: stepWords(each.step), isOtherPeople })
  }
  for (const each of gone)
    if (!replaced.has(each))
      changes.push({
        kind: 'removed',
        place: each.place + 1,
        step: stepWords(each.step),
        isOtherPeople: each.assignees.length > 0,
      })
  for (const [a, b] of same) {
    const [old, now] = [before[a], after[b]]
    if (old && now && peopleOf(old) !== peopleOf(now))
      changes.push({ kind: 'changed', place: now.place + 1, step: stepWords(now.step), isOtherPeople: true })
  }
  return changes.toSorted((a, b) => a.place - b.place)
}

/** The indexes of the longest common subsequence. Routes have at most some dozens of steps. */
function commonOf(a: readonly string[], b: readonly string[]): [number, number][] {
  const lengths = Array.from({ length: a.length + 1 }, () => Array.from({ length: b.length + 1 }, () => 0))
  const at = (i: number, j: number): number => lengths[i]?.[j] ?? 0
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      (lengths[i] as number[])[j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
  const found: [number, number][] = []
  for (let i = 0, j = 0; i < a.length && j < b.length; )
    if (a[i] === b[j]) found.push([i++, j++])
    else if (at(i + 1, j) >= at(i, j + 1)) i++
    else j++
  return found
}

/** The people whom a route asks, each as often as they are asked. */
export const askedIn = ({ steps }: Rehearsed): string[] =>
  steps.flatMap(({ step, happens, assignees }) =>
    step.kind === 'approval' && happens === 'people' ? assignees.map(({ userId }) => userId) : [],
  )

const weekMs = 7 * 86_400_000
export type Asked = { before: number; after: number; weeks: number[] }

/** How many decisions each person had to make, and would have had to make, and in which week: latest first. */
export class Load {
  readonly people = new Map<string, Asked>()
  readonly weeks: { before: number; after: number }[]
  readonly #now: Date

  constructor(now: Date, days: number) {
    this.#now = now
    this.weeks = Array.from({ length: Math.ceil((days * 86_400_000) / weekMs) }, () => ({ before: 0, after: 0 }))
  }

  count(at: Date, before: readonly string[], after: readonly string[]): void {
    const place = Math.min(this.weeks.length - 1, Math.max(0, Math.floor((+this.#now - +at) / weekMs)))
    const week = this.weeks[place]
    for (const id of before) this.#of(id).before++
    for (const id of after) {
      const person = this.#of(id)
      person.after++
      person.weeks[place] = (person.weeks[place] ?? 0) + 1
    }
    if (!week) return
    week.before += before.length
    week.after += after.length
  }

  #of(id: string): Asked {
    const known = this.people.get(id) ?? { before: 0, after: 0, weeks: this.weeks.map(() => 0) }
    this.people.set(id, known)
    return known
  }
}
