/**
 * What one evaluation may cost. A unit is about 60 to 150 ns, so the whole is less than 150 ms: an expression and a profile
 * that were made to be slow together cost that, and no more. Counted, not timed, so that it is the same on every machine.
 * Every part of an expression is counted once, and again each time that a macro evaluates it.
 *
 * Evaluation is synchronous, so one account for the whole program is enough.
 */
export const budgetUnits = 1_000_000

/** The longest list that a macro (`exists`, `map` and so on) may iterate over. */
export const iterableMax = 1000

/** The longest text that `+` may produce. */
export const textMax = 1_000_000

export const costs = { iteration: 20, comparison: 2, element: 2, part: 4 } as const
export const costOfText = (length: number): number => length / 32
/** `contains` for a text in which the first character of the part is everywhere: 17 ns per character. */
export const containsTimes = 4
/** RE2 reads every character, and may be in all places of the pattern at each. */
export const costOfMatch = (length: number, patternSize: number): number => 50 + length * patternSize

/**
 * The longest text that matches() may read, and the largest pattern. RE2 is linear, but 1,000 characters and a pattern of
 * 100 places still take up to 40 ms if the pattern was made to be slow (`((a?b?){5}){5}!?$`); most take a microsecond.
 */
export const matchable = { textMax: 1000, patternMax: 100, patternsMax: 500 } as const

let spent = 0

/** `units`: its fixed cost. */
export const beginEvaluation = (units: number): void => {
  spent = units
}
export const spentUnits = (): number => spent
export const isOverBudget = (): boolean => spent > budgetUnits

export function spend(units: number): void {
  spent += units
  if (spent > budgetUnits) throw new Error('the evaluation takes too much work')
}
