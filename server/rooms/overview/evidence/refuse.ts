import { Refusal } from '#kernel/refusals.ts'

export const refuseTooLarge = (max: number): Refusal =>
  new Refusal(
    'EVIDENCE_TOO_LARGE',
    `An evidence pack has at most ${max} grants. Choose less: an entitlement, a person, or a filter of the list.`,
    { metadata: { max: String(max) } },
  )
