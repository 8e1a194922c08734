import { createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router'
import { whenSignedOut } from './client/call.ts'
import { queryClient } from './client/queries.ts'
import { pageRoutes } from './page-routes.ts'
import { rootRoute, shellRoute } from './roots.ts'
import { Failed, NotFound, Waiting } from './shell/fallbacks.tsx'
import { Shell } from './shell/shell.tsx'

const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  component: lazyRouteComponent(() => import('./pages/sign-in/sign-in.tsx'), 'SignIn'),
})

/** Within the shell: a mistyped address still has the navigation. */
const unknownRoute = createRoute({ getParentRoute: () => shellRoute, path: '$', component: NotFound })

const routeTree = rootRoute.addChildren([
  signInRoute,
  shellRoute.update({ component: Shell }).addChildren([...pageRoutes, unknownRoute]),
])

export const router = createRouter({
  routeTree,
  defaultPreload: 'intent',
  defaultErrorComponent: Failed,
  defaultNotFoundComponent: NotFound,
  defaultPendingComponent: Waiting,
  scrollRestoration: true,
  // As people write them: `?q=ann`, and not JSON.
  parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch(search) {
    const set = Object.entries(search as Record<string, string | undefined>).filter(([, value]) => value)
    return set.length === 0 ? '' : `?${new URLSearchParams(set as [string, string][])}`
  },
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}

whenSignedOut((ended) => {
  queryClient.clear()
  const { pathname, href } = router.state.location
  if (pathname !== '/sign-in') void router.navigate({ to: '/sign-in', search: { returnTo: href, ended } })
})
