/**
 * What one evaluation may cost. A unit is some 60 to 150 ns, so the whole is less than 150 ms: an expression and a profile
 * that are made to be slow together cost that, and no more. Counted, not timed, so that it is the same on every machine.
 * Every part of an expression is counted once, and once more for each time that a macro goes through it.
 *
 * Evaluation is synchronous, so one account for the whole program is enough.
 */
export const budgetUnits = 1_000_000

/** How long a list may be that a macro (`exists`, `map` and so on) goes through. */
export const iterableMax = 1000

/** What a text may grow to by `+`. */
export const textMax = 1_000_000

export const costs = { iteration: 20, comparison: 2, element: 2, part: 4 } as const
export const costOfText = (length: number): number => length / 32
/** `contains` of a text in which the first character of the part is everywhere: 17 ns a character. */
export const containsTimes = 4
/** RE2 looks at every character, and at each may be in all places of the pattern at once. */
export const costOfMatch = (length: number, patternSize: number): number => 50 + length * patternSize

/**
 * How long a text may be that matches() looks at, and how large a pattern. RE2 is linear, but 1,000 characters by a pattern
 * of 100 places still take up to 40 ms where it is made for that (`((a?b?){5}){5}!?$`); most take a microsecond.
 */
export const matchable = { textMax: 1000, patternMax: 100, patternsMax: 500 } as const

let spent = 0

/** `units`: what it costs in any case. */
export const beginEvaluation = (units: number): void => {
  spent = units
}
export const spentUnits = (): number => spent
export const isOverBudget = (): boolean => spent > budgetUnits

export function spend(units: number): void {
  spent += units
  if (spent > budgetUnits) throw new Error('the evaluation takes too much work')
}
