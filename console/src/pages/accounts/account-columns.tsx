import type { ReactNode } from 'react'
import type { AppUser } from '#client/api/types.ts'

export const accountTypes: Readonly<Partial<Record<AppUser['appUserType'], string>>> = {
  APP_USER_TYPE_USER: 'Person',
  APP_USER_TYPE_SERVICE_ACCOUNT: 'Service',
  APP_USER_TYPE_SYSTEM_ACCOUNT: 'System',
}

/** What an account is called; the import may have known no more of it than its address. */
export const accountName = ({ displayName, username, email, id }: AppUser): string =>
  displayName || username || email || id

/** What else distinguishes an account from others of the same name. */
export const accountTraces = (account: AppUser): ReactNode =>
  [account.username, account.email]
    .filter((trace, index, all) => trace && trace !== accountName(account) && all.indexOf(trace) === index)
    .join(' · ')
