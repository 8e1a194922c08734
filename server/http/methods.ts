import type { FastifyInstance } from 'fastify'
import { Refusal } from '#kernel/refusals.ts'

const pathOf = (url: string): string => url.split('?', 1)[0] as string
const patternOf = (url: string): RegExp =>
  new RegExp(`^${url.replaceAll('.', '\\.').replace(/:\w+/g, '[^/]+').replace('*', '.*')}$`)

/** The form of a path, regardless of the names of its parameters. */
const shapeOf = (parts: readonly string[]): string => parts.map((part) => (part.startsWith(':') ? ':' : part)).join('/')
const isFixed = (part: string): boolean => part !== '' && !part.startsWith(':') && !part.includes('*')
const fixedIn = (url: string): number => url.split('/').filter(isFixed).length

export type Routed = {
  /** Why no route takes a request: nothing is at its address, or what is there takes other methods. */
  whyUnrouted(method: string, url: string): Refusal
  /**
   * If one path has a word where another has a parameter, the word wins (as in the API document), with any method:
   * methods that only the other path has are refused. To be called after the last route is mounted.
   */
  refuseSiblings(): void
}

/** Records which path has which methods; to be called before the first route is mounted. */
export function watchRoutes(app: FastifyInstance): Routed {
  const known = new Map<string, { url: string; methods: string[] }>()
  let isWatching = true
  app.addHook('onRoute', ({ method, url }) => {
    if (!isWatching) return
    const shape = shapeOf(url.split('/'))
    known.set(shape, { url, methods: [...(known.get(shape)?.methods ?? []), ...[method].flat()] })
  })
  // Looked up only for requests without a route, so it covers every method and costs the routes nothing.
  let patterns: { pattern: RegExp; methods: string[] }[] | undefined
  return {
    whyUnrouted(method, url) {
      // Built for the first such request: a start took 6 ms longer for patterns that many servers never need.
      patterns ??= [...known.values()]
        .toSorted((one, other) => fixedIn(other.url) - fixedIn(one.url))
        .map(({ url: each, methods }) => ({ pattern: patternOf(each), methods }))
      const path = pathOf(url)
      const fitting = patterns.find(({ pattern }) => pattern.test(path))
      return fitting ? methodNotAllowed(method, fitting.methods) : nothingHere()
    },
    refuseSiblings() {
      isWatching = false
      for (const { url, methods } of known.values()) {
        const parts = url.split('/')
        const siblings = parts.flatMap((part, at) =>
          isFixed(part) ? (known.get(shapeOf(parts.with(at, ':')))?.methods ?? []) : [],
        )
        const theirs = new Set(siblings).difference(new Set(methods))
        // With GET, HEAD is mounted too.
        if (theirs.has('GET')) theirs.delete('HEAD')
        if (theirs.size === 0) continue
        app.route({
          url,
          method: [...theirs],
          onRequest: (request, _reply, done) => done(methodNotAllowed(request.method, methods)),
          handler: (request) => Promise.reject(methodNotAllowed(request.method, methods)),
        })
      }
    },
  }
}

export const nothingHere = (): Refusal => new Refusal('ROUTE_NOT_FOUND', 'There is nothing at this path.')

/** RFC 9110 section 15.5.6: the response lists the methods in `Allow`. */
export const methodNotAllowed = (method: string, allowed: readonly string[]): Refusal => {
  const allow = allowed.join(', ')
  return new Refusal('METHOD_NOT_ALLOWED', `${method} is not allowed at this path; use ${allow}.`, {
    metadata: { allow },
  })
}
