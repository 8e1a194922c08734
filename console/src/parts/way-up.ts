import { useQuery } from '@tanstack/react-query'
import { appsGet } from '#client/api/operations.ts'
import { read } from '../client/queries.ts'
import { useSession } from '../client/session.ts'

type Step = { label: string; to: string }

/** Where the breadcrumb of an app begins: at all apps, at what the caller owns, or at what they have. */
export function useFirstStep(): Step {
  const { may, mayOnOwned } = useSession()
  if (may('apps.read')) return { label: 'Apps', to: '/apps' }
  return mayOnOwned('apps.read') ? { label: 'What you own', to: '/owned' } : { label: 'Your access', to: '/me' }
}

/** The breadcrumb of a page of something in an app: all apps, the app, and what is between. */
export function useWayUp(appId: string, ...between: Step[]): Step[] {
  const first = useFirstStep()
  const { data, isError } = useQuery(read(appsGet, { path: { id: appId } }))
  return [
    first,
    // Callers who own something in an app, but not the app, do not see the app.
    ...(isError ? [] : [{ label: data?.app?.displayName ?? '…', to: `/apps/${appId}` }, ...between]),
  ]
}
