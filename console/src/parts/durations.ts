/** The units of durations, from the largest, in seconds. */
export const durationUnits = [
  ['days', 86_400],
  ['hours', 3600],
  ['minutes', 60],
  ['seconds', 1],
] as const
export type DurationUnit = (typeof durationUnits)[number][0]

/** A duration of the API, as in `7200s`, in the largest unit that it is a whole number of. */
export function durationIn(duration: string): { amount: number; unit: DurationUnit } {
  const seconds = Number.parseInt(duration, 10)
  const [unit, size] = durationUnits.find(([, each]) => seconds % each === 0) ?? (['seconds', 1] as const)
  return { amount: seconds / size, unit }
}

/** How long a grant lasts, as text. */
export function durationWords(duration: string | null): string {
  if (duration === null) return 'No expiry'
  const { amount, unit } = durationIn(duration)
  return `${amount.toLocaleString()} ${amount === 1 ? unit.slice(0, -1) : unit}`
}
