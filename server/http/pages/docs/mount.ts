import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Route } from '#kernel/routes.ts'
import { nothingHere } from '../../methods.ts'
import { apiDocument } from '../../openapi.ts'
import { sendJson } from '../../reply.ts'
import { docsPage, docsPolicy, type Side } from './frame.ts'
import { type Guide, readGuides, readPicture } from './guides.ts'
import { escape } from './html.ts'
import { groupLinks, referenceEntries, referenceHtml } from './reference.ts'
import { indexed, resultsHtml } from './search.ts'

const gzipped = promisify(gzip)

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => (made ??= { value: make() }).value
}

const queryMax = 200

const guidesHtml = (guides: readonly Guide[]): string => `<h1>Bailiwick docs</h1>
<p>Guides for people and programs. The <a href="/docs">API reference</a> lists every operation.</p>
<ul>${guides.map(({ name, title }) => `<li><a href="/docs/guides/${name}">${escape(title)}</a></li>`).join('')}</ul>`

/** The docs: guides, the reference and a search through both. They run no script, and load nothing from elsewhere. */
export function mountDocs(app: FastifyInstance, routes: readonly Route[]): void {
  // Written when first requested: a server that starts has more urgent work, and few servers get such a request.
  const document = once(() => JSON.stringify(apiDocument(routes)))
  const guides = once(readGuides)
  const side = once(
    (): Side => ({
      guides: guides().map(({ name, title }) => ({ href: `/docs/guides/${name}`, label: escape(title) })),
      groups: groupLinks(routes),
    }),
  )
  const reference = once(() => {
    const html = docsPage({ title: 'API reference', current: '/docs' }, side(), referenceHtml(routes))
    // It is some megabytes long, and a tenth of that when compressed.
    return { html, packed: gzipped(html) }
  })
  const index = once(() =>
    indexed([
      ...guides().flatMap(({ name, title, sections }) =>
        sections.map(({ heading, anchor, text }) => ({
          href: `/docs/guides/${name}#${anchor}`,
          title: heading,
          within: heading === title ? '' : title,
          text,
        })),
      ),
      ...referenceEntries(routes),
    ]),
  )

  const secured = (reply: FastifyReply): FastifyReply =>
    reply
      .header('content-type', 'text/html; charset=utf-8')
      .header('content-security-policy', docsPolicy)
      .header('referrer-policy', 'no-referrer')
  const takesGzip = ({ headers }: FastifyRequest): boolean => /\bgzip\b/.test(headers['accept-encoding'] ?? '')

  app.get('/api/openapi.json', (_request, reply) => sendJson(reply, document()))
  app.get('/docs', async (request, reply) => {
    const { html, packed } = reference()
    secured(reply).header('vary', 'accept-encoding')
    return takesGzip(request) ? reply.header('content-encoding', 'gzip').send(await packed) : reply.send(html)
  })
  app.get('/docs/guides', (_request, reply) =>
    secured(reply).send(docsPage({ title: 'Docs', current: '/docs/guides' }, side(), guidesHtml(guides()))),
  )
  app.get('/docs/guides/:name', (request, reply) => {
    const { name } = request.params as { name: string }
    const guide = guides().find((each) => each.name === name)
    if (!guide) throw nothingHere()
    return secured(reply).send(docsPage({ title: guide.title, current: `/docs/guides/${name}` }, side(), guide.html))
  })
  app.get('/docs/pictures/:name', (request, reply) => {
    const picture = readPicture((request.params as { name: string }).name)
    if (!picture) throw nothingHere()
    return reply
      .header('content-type', 'image/png')
      .header('cache-control', 'public, max-age=3600')
      .header('cross-origin-resource-policy', 'same-origin')
      .send(picture)
  })
  app.get('/docs/search', (request, reply) => {
    const { q } = request.query as { q?: string | string[] }
    const query = String([q ?? ''].flat()[0])
      .slice(0, queryMax)
      .trim()
    return secured(reply)
      .header('cache-control', 'no-store')
      .send(docsPage({ title: 'Search', current: '/docs/search', query }, side(), resultsHtml(query, index())))
  })
}
