/** For how many days a plan can be carried out: one that is stored, and a change that waits for approval. */
export const planDays = { directories: 1, change: 30 }

/** What was planned before this time has expired. */
export const expiredBefore = (kind: keyof typeof planDays, now: Date): Date =>
  new Date(now.getTime() - planDays[kind] * 86_400_000)
