import type { Route } from '#kernel/routes.ts'
import { countRoute } from './counting.ts'
import { exportRoute } from './exporting/routes.ts'
import { lists } from './lists.ts'
import { valueRoutes } from './values.ts'
import { viewRoutes } from './views/routes.ts'

/** Of each list its total and its file, by the operation that lists it; and the views of lists that people save, and values to filter by. */
export function listRoutes(all: readonly Route[]): Route[] {
  const byId = new Map(all.map((route) => [route.id, route]))
  return [
    ...lists.flatMap((list) => {
      const route = byId.get(list.operation)
      if (!route?.count) throw new Error(`${list.operation} lists nothing that is counted`)
      return [countRoute(list, route), exportRoute(list, route)]
    }),
    ...viewRoutes,
    ...valueRoutes,
  ]
}
