import type { FastifyInstance } from 'fastify'
import { Refusal } from '#kernel/refusals.ts'

const pathOf = (url: string): string => url.split('?', 1)[0] as string
const patternOf = (url: string): RegExp =>
  new RegExp(`^${url.replaceAll('.', '\\.').replace(/:\w+/g, '[^/]+').replace('*', '.*')}$`)

/**
 * Why no route takes a request: nothing is at its address, or what is there takes other methods. Looked up only then, so
 * it answers any method that there is, and costs the routes nothing. To be called before the first route is mounted.
 */
export function watchRoutes(app: FastifyInstance): (method: string, url: string) => Refusal {
  const methodsByUrl = new Map<string, string[]>()
  app.addHook('onRoute', ({ method, url }) => {
    methodsByUrl.set(url, [...(methodsByUrl.get(url) ?? []), ...[method].flat()])
  })
  let known: { pattern: RegExp; methods: string[] }[] | undefined
  return (method, url) => {
    // With the first of them: a start took 6 ms longer for patterns that many servers never need.
    known ??= [...methodsByUrl].map(([each, methods]) => ({ pattern: patternOf(each), methods }))
    const path = pathOf(url)
    const fitting = known.filter(({ pattern }) => pattern.test(path))
    if (fitting.length === 0) return nothingHere()
    return methodNotAllowed(method, [...new Set(fitting.flatMap(({ methods }) => methods))])
  }
}

export const nothingHere = (): Refusal => new Refusal('ROUTE_NOT_FOUND', 'There is nothing at this path.')

/** RFC 9110 section 15.5.6: the answer names the methods in `Allow`. */
export const methodNotAllowed = (method: string, allowed: readonly string[]): Refusal => {
  const allow = allowed.join(', ')
  return new Refusal('METHOD_NOT_ALLOWED', `${method} is not allowed at this path; use ${allow}.`, {
    metadata: { allow },
  })
}
