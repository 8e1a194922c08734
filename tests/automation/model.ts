/**
 * What rules do, in fifty lines: after every step, everyone has what these say. Rules are looked at in the order of
 * `targets`, as each reads only those before it.
 */
export type Person = { department: string; level: number | null; isEnabled: boolean; isDeleted: boolean }
export type Rule =
  | { kind: 'none' }
  | { kind: 'department'; is: string; way: 'sql' | 'asked' }
  | { kind: 'level'; above: number }
  | { kind: 'holders'; of: number; way: 'refs' | 'expression' }
export type Target = { rule: Rule | null; excluded: Set<number>; byHand: Set<number>; byRule: Set<number> }
export type Model = { people: Person[]; targets: Target[] }

export const newModel = (people: number, targets: number): Model => ({
  people: Array.from({ length: people }, () => ({ department: 'x', level: null, isEnabled: true, isDeleted: false })),
  targets: Array.from({ length: targets }, () => ({
    rule: null,
    excluded: new Set(),
    byHand: new Set(),
    byRule: new Set(),
  })),
})

export const holds = ({ byHand, byRule }: Target, person: number): boolean => byHand.has(person) || byRule.has(person)

function matches({ people, targets }: Model, rule: Rule, who: number): boolean {
  const person = people[who] as Person
  if (!person.isEnabled || person.isDeleted) return false
  if (rule.kind === 'none') return false
  if (rule.kind === 'department') return person.department === rule.is
  // Who has no level makes the rule fail, and so does not match.
  if (rule.kind === 'level') return person.level !== null && person.level > rule.above
  return holds(targets[rule.of] as Target, who)
}

export function runRules(model: Model): void {
  for (const target of model.targets) {
    if (!target.rule) continue
    for (const who of model.people.keys()) {
      if (target.excluded.has(who)) continue
      if (!matches(model, target.rule, who)) target.byRule.delete(who)
      else if (!holds(target, who)) target.byRule.add(who)
    }
  }
}
