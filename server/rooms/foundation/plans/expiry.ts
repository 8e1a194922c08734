/** For how many days what was planned can be carried out: a plan that is kept, and a change that waits for approval. */
export const planDays = { directories: 1, change: 30 }

/** What was planned before this moment has expired. */
export const expiredBefore = (kind: keyof typeof planDays, now: Date): Date =>
  new Date(now.getTime() - planDays[kind] * 86_400_000)
