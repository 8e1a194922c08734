import { createRootRoute, createRoute, Outlet, redirect, retainSearchParams } from '@tanstack/react-router'
import { ApiError } from '#client/api-error.ts'
import { ensureSession } from './client/session.ts'

/** What the address holds behind its question mark: text, all of it. Each page reads what it knows. */
type SearchText = Record<string, string | undefined>

export const rootRoute = createRootRoute({
  component: Outlet,
  validateSearch: (search: Record<string, unknown>): SearchText => search as SearchText,
})

/** Every page that only those who are signed in see has this as its parent. What it draws around them is set in routes.ts. */
export const shellRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'shell',
  // While the reader looks at the past, links keep the time, until they return to now.
  search: { middlewares: [retainSearchParams<SearchText>(['as_of'])] },
  async beforeLoad({ location }) {
    try {
      return { session: await ensureSession() }
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) {
        const ended = error.metadata['why']
        const search = { ...(location.href !== '/' && { returnTo: location.href }), ...(ended && { ended }) }
        redirect({ throw: true, to: '/sign-in', search })
      }
      throw error
    }
  },
})
