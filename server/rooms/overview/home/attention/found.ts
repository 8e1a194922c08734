/** One thing of a kind. `appId` is what it is of, where its address needs that; `about` says where it is, or whose, for people. */
export type Example = { appId: string; id: string; name: string; about: string }

/** What was found of a kind: how many, counted up to a number, and the first few. */
export type Found = { count: number; examples: Example[] }

/** So many are counted; whoever has more of a kind needs the list, not the number. */
export const countedMax = 1000
export const shownMax = 3
