import type { AttributePrecedence, DirectoryPlansCreateRequest, DirectoryPrecedence } from '#client/api/types.ts'
import type { Sent } from '#client/operation.ts'

/** The order of directories for one attribute: all of them, those that it names first. */
export type OwnOrder = {
  attribute: string
  ids: readonly string[]
  /** As it was saved, where it was not changed: it may name only some. */
  saved: AttributePrecedence | null
}

export type Order = { general: readonly string[]; own: readonly OwnOrder[] }

const inFull = (first: readonly string[], general: readonly string[]): string[] => [
  ...first,
  ...general.filter((id) => !first.includes(id)),
]

export const orderOf = ({ order, attributes }: DirectoryPrecedence): Order => ({
  general: order,
  own: attributes.map((saved) => ({ attribute: saved.attribute, ids: inFull(saved.appIds, order), saved })),
})

/** An order of its own for an attribute, which is the general one until it is changed. */
export const newOwn = (attribute: string, general: readonly string[]): OwnOrder => ({
  attribute,
  ids: general,
  saved: null,
})

/** Those that were not changed name what they named: the others follow in the general order. */
export const withGeneral = ({ own }: Order, general: readonly string[]): Order => ({
  general,
  own: own.map((each) => (each.saved ? { ...each, ids: inFull(each.saved.appIds, general) } : each)),
})

export const sentOrder = ({ general, own }: Order): Sent<DirectoryPlansCreateRequest> => ({
  precedence: {
    order: [...general],
    attributes: own
      .map(({ attribute, ids, saved }) => ({ attribute, appIds: saved ? saved.appIds : [...ids] }))
      .toSorted((a, b) => (a.attribute < b.attribute ? -1 : 1)),
  },
})

export const isSameOrder = (a: Order, b: Order): boolean =>
  JSON.stringify(sentOrder(a)) === JSON.stringify(sentOrder(b))
