const dayMs = 86_400_000

/** The time of the first reminder of a step: after a day, or while there is time left before it is due. */
export function firstReminder(now: Date, dueAt: Date | null): Date {
  const left = dueAt ? dueAt.getTime() - now.getTime() : Number.POSITIVE_INFINITY
  if (!dueAt || left <= 0) return new Date(now.getTime() + dayMs)
  return left > 2 * dayMs ? new Date(dueAt.getTime() - dayMs) : new Date(now.getTime() + left / 2)
}

const remindersMax = 5
/** The following ones: after three days, and then every week; null after the last one. */
export function nextReminder(place: number, now: Date): Date | null {
  if (place >= remindersMax) return null
  return new Date(now.getTime() + (place === 1 ? 3 : 7) * dayMs)
}

export const reminderKey = (stepId: string, place: number): string => `reminder ${stepId} ${place}`
