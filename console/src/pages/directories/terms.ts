import type { Directory, DirectoryPlansCreateRequest } from '#client/api/types.ts'
import type { Sent } from '#client/operation.ts'

export type KeyPair = { key: number; ofAccount: string; ofUser: string }

/** Which accounts of an app become users, and by what they are matched, as it is being written. */
export type Terms = { isAll: boolean; condition: string; pairs: readonly KeyPair[] }

let pairs = 0
export const newPair = (ofAccount = '', ofUser = ''): KeyPair => {
  pairs += 1
  return { key: pairs, ofAccount, ofUser }
}

/** By email address, written out: it can be seen and added to. */
const usualPair = (): KeyPair => newPair('account.email', 'subject.email')

export const newTerms = (): Terms => ({ isAll: true, condition: '', pairs: [usualPair()] })

export function termsOf({ celExpression, mergeConfig }: Directory): Terms {
  const cases = mergeConfig?.matchCases ?? []
  return {
    isAll: celExpression === null,
    condition: celExpression?.expression ?? '',
    pairs:
      cases.length > 0
        ? cases.map(({ appUserKeyCel, userKeyCel }) => newPair(appUserKeyCel, userKeyCel))
        : [usualPair()],
  }
}

/** Terms as the API takes them. */
export const sentTerms = (
  appId: string,
  { isAll, condition, pairs: all }: Terms,
): Sent<DirectoryPlansCreateRequest> => ({
  appId,
  ...(isAll ? { all: {} } : { celExpression: { expression: condition } }),
  mergeConfig: { matchCases: all.map(({ ofAccount, ofUser }) => ({ appUserKeyCel: ofAccount, userKeyCel: ofUser })) },
})

export const isSameTerms = (a: Terms, b: Terms): boolean =>
  JSON.stringify(sentTerms('', a)) === JSON.stringify(sentTerms('', b))

/** Why they cannot be planned yet; null if they can. */
export function lackOf({ isAll, condition, pairs: all }: Terms): string | null {
  if (!isAll && condition.trim() === '') return 'Enter a condition, or choose all accounts.'
  const isOpen = all.some(({ ofAccount, ofUser }) => ofAccount.trim() === '' || ofUser.trim() === '')
  return isOpen ? 'Enter both expressions of each key, or remove the key.' : null
}
