import { useMatches, useRouter } from '@tanstack/react-router'
import { useSession } from '../client/session.ts'
import { type Destination, destinationsFor, lackingFor, type PageData } from '../page-data.ts'

/** What is known of the page that is shown. */
export const usePageData = (): PageData => useMatches({ select: (matches) => matches.at(-1)?.staticData }) ?? {}

/** Returns the permission that the caller lacks for the page at an address: null if they may open it. */
export function useLacking(): (pathname: string) => string | null {
  const router = useRouter()
  const session = useSession()
  return (pathname) => lackingFor(router, pathname, session)
}

/** Where the navigation leads the caller, from the top. */
export const useDestinations = (): Destination[] => destinationsFor(useRouter(), useSession())
