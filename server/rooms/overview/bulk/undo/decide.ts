/** Why an item stays as it is: someone changed it after the bulk change, and that counts. Null where it is as the change left it. */
export const whyChangedSince = (now: unknown, after: unknown): string | null =>
  now === after ? null : 'It has been changed since.'

type Expiry = { source: string; expiresAt: string | null }

/** What an expiry was before; or why it cannot be set to that. */
export function expiryBefore(
  before: readonly Expiry[],
  nowHeld: readonly Expiry[],
  after: string | null,
  now: string,
): { expiresAt: string | null } | { why: string } {
  if (nowHeld.length === 0) return { why: 'It is no longer held.' }
  if (nowHeld.some(({ expiresAt }) => expiresAt !== after)) return { why: 'It has been changed since.' }
  const [first, ...others] = new Set(before.map(({ expiresAt }) => expiresAt))
  if (others.length > 0) return { why: 'Its sources had different expiries. Set them one by one.' }
  const expiresAt = first ?? null
  if (expiresAt !== null && expiresAt <= now) return { why: 'It would have expired by now. Revoke it instead.' }
  return { expiresAt }
}
