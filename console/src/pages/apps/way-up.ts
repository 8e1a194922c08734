import { useQuery } from '@tanstack/react-query'
import { appsGet } from '#client/api/operations.ts'
import { read } from '../../client/queries.ts'
import { useSession } from '../../client/session.ts'

type Step = { label: string; to: string }

/** The way up from a page of something in an app: all apps, the app, and what lies between. */
export function useWayUp(appId: string, ...between: Step[]): Step[] {
  const { may } = useSession()
  const { data, isError } = useQuery(read(appsGet, { path: { id: appId } }))
  return [
    ...(may('apps.read') ? [{ label: 'Apps', to: '/apps' }] : []),
    // Who owns something in an app, and not the app, does not see the app.
    ...(isError ? [] : [{ label: data?.app?.displayName ?? '…', to: `/apps/${appId}` }, ...between]),
  ]
}
