import { type CelFunc, type CelMap, CelScalar, celFunc, celMethod, mapType } from '@bufbuild/cel'
import { costOfText, spend } from '../budget.ts'
import { celOf } from './values.ts'

const { DYN, STRING } = CelScalar
const MAP = mapType(DYN, DYN)

const partNames = ['scheme', 'host', 'hostname', 'port', 'path', 'query', 'fragment'] as const
type Part = (typeof partNames)[number]

const textMax = 2048

/**
 * The parts of an address in a claim. A text that browsers would silently repair (spaces, line ends, backslashes) is
 * refused: an issuer that let its users choose a part of it would let them choose its host too.
 */
function partsOf(text: string): { readonly [part in Part]: string } {
  spend(costOfText(text.length) * 8)
  const url = text.length > textMax || /[\s\\\p{Cc}]/u.test(text) ? null : URL.parse(text)
  if (!url) throw new Error('url() of a string that is not a URL')
  const { protocol, host, hostname, port, pathname, search, hash } = url
  return {
    scheme: protocol.slice(0, -1),
    host,
    hostname,
    port,
    path: pathname,
    query: search.slice(1),
    fragment: hash.slice(1),
  }
}

const getters: Record<string, Part> = {
  getScheme: 'scheme',
  getHost: 'host',
  getHostname: 'hostname',
  getPort: 'port',
  getEscapedPath: 'path',
  getPath: 'path',
  getQuery: 'query',
}

/**
 * `url(text)`, whose parts are fields, as in `url(claims.sub).host`, or methods as in other implementations:
 * `url(claims.sub).getHost()`.
 */
export const urlFunctions: readonly CelFunc[] = [
  celFunc('url', [STRING], MAP, (text) => celOf(partsOf(text)) as CelMap),
  ...Object.entries(getters).map(([name, part]) =>
    celMethod(name, MAP, [], STRING, function () {
      const found = this.get(part)
      if (typeof found !== 'string') throw new Error(`${name}() of something that is not from url()`)
      return found
    }),
  ),
]

export const urlFunctionNames: ReadonlySet<string> = new Set(['url', ...Object.keys(getters)])
