import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { anyone, authenticated, type Route, signedIn } from '#kernel/routes.ts'
import { version } from '#kernel/version.ts'
import type { Fields, JsonSchema, Message } from '#kernel/wire.ts'
import { apiDocument } from '../openapi.ts'
import { sendJson } from '../reply.ts'

const escape = (value: string): string =>
  value.replace(/[&<>"]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c] as string)

const anchor = (name: string): string => `m-${name.replace(/\W/g, '-')}`

function typeOf(schema: JsonSchema): string {
  const { $ref, oneOf, items, type, format } = schema as {
    $ref?: string
    oneOf?: JsonSchema[]
    items?: JsonSchema
    type?: string | string[]
    format?: string
  }
  const values = schema['enum'] as readonly string[] | undefined
  if ($ref) {
    const name = $ref.split('/').pop() as string
    return `<a href="#${anchor(name)}">${escape(name)}</a>`
  }
  if (oneOf) return oneOf.map(typeOf).join(' or ')
  if (items) return `list of ${typeOf(items)}`
  if (values) return values.map((value) => `<code>${escape(value)}</code>`).join(' | ')
  return escape([[type].flat().join(' or '), format].filter(Boolean).join(', '))
}

const fieldRows = (of: Message<Fields>): string => {
  const rows = Object.entries(of.fields).map(([name, { schema }]) => {
    const notes = [schema['readOnly'] ? 'Read-only.' : '', (schema['description'] as string) ?? ''].join(' ').trim()
    return `<tr><td><code>${escape(name)}</code></td><td>${typeOf(schema)}</td><td>${escape(notes)}</td></tr>`
  })
  return rows.length === 0
    ? '<p class="quiet">No fields.</p>'
    : `<table><thead><tr><th>Field</th><th>Type</th><th></th></tr></thead><tbody>${rows.join('')}</tbody></table>`
}

const needed = ({ allow, ownPages }: Route): string => {
  if (allow === anyone) return ownPages ? "for the console's own pages" : 'no token needed'
  if (allow === signedIn) return 'needs a session of the console'
  return allow === authenticated ? 'needs a token' : `needs <code>${escape(allow)}</code>`
}

const operation = (route: Route): string => `
<section id="${escape(route.id)}">
<h3><span class="method ${route.method}">${route.method}</span> <code>${escape(route.path)}</code></h3>
<p>${escape(route.summary)}</p>
<p class="quiet">${escape(route.id)} · ${needed(route)}</p>
${Object.keys(route.query.fields).length > 0 ? `<h4>Query</h4>${fieldRows(route.query)}` : ''}
${route.body ? `<h4>Body${route.form ? ', a form' : ''}</h4>${fieldRows(route.body)}` : ''}
<h4>Reply</h4>${fieldRows(route.reply)}
</section>`

const navigation = ({ id }: Route): string => `<a href="#${escape(id)}">${escape(id.split('.').at(-1) as string)}</a>`

const style = `
:root{color-scheme:light dark;--line:light-dark(#d5d9e0,#3a3f4a);--quiet:light-dark(#566070,#a0a9b8);--link:light-dark(#0b57d0,#8ab4f8)}
body{font:16px/1.55 system-ui,sans-serif;margin:0 auto;max-width:60rem;padding:1.5rem}
h1{margin-bottom:0}h2{margin-top:3rem;border-bottom:1px solid var(--line)}h3{margin-top:2.2rem;overflow-wrap:anywhere}
h4{margin:.8rem 0 .2rem}a{color:var(--link)}.quiet{color:var(--quiet);margin:.2rem 0}code{font-size:.92em}
table{border-collapse:collapse;width:100%}th,td{text-align:left;vertical-align:top;padding:.3rem .6rem .3rem 0;border-bottom:1px solid var(--line);overflow-wrap:anywhere}
dl{display:grid;grid-template-columns:minmax(12rem,auto) 1fr;gap:.3rem 1.5rem;margin:1.5rem 0}dt{font-weight:600;overflow-wrap:anywhere}dd{margin:0}@media(max-width:40rem){dl{grid-template-columns:1fr}}
.method{font:600 .8em ui-monospace,monospace;border:1px solid var(--line);border-radius:.3rem;padding:.1rem .4rem}`

/** The reference for people: one page, made from the route table, without a script and without another host. */
function referencePage(routes: readonly Route[]): string {
  const groups = [...Map.groupBy(routes, (route) => route.id.split('.').slice(0, -1).join('.'))]
  const messages = new Map(
    routes
      .flatMap((route) => [...(route.body?.messages ?? []), ...route.reply.messages])
      .map((each) => [each.name, each] as const),
  )
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Bailiwick API reference</title><style>${style}</style></head><body>
<header><h1>Bailiwick API</h1><p class="quiet">Version ${version} · <a href="/api/openapi.json">OpenAPI document</a></p></header>
<p>Get an access token at <a href="#auth.v1.Token.Issue"><code>POST /auth/v1/token</code></a> and send it with each request:
<code>Authorization: Bearer ACCESS_TOKEN</code>. Lists take <code>page_size</code> (10 to 100, else 25) and
<code>page_token</code>; those called with POST take them in the body. Fields are read in lowerCamelCase and in
snake_case.</p>
<nav aria-label="Operations"><dl>${groups
    .map(([group, own]) => `<dt>${escape(group)}</dt><dd>${own.map(navigation).join(' · ')}</dd>`)
    .join('')}</dl></nav>
<main>${groups.map(([group, own]) => `<h2>${escape(group)}</h2>${own.map(operation).join('')}`).join('')}
<h2>Messages</h2>${[...messages.values()]
    .map((each) => `<section id="${anchor(each.name)}"><h3>${escape(each.name)}</h3>${fieldRows(each)}</section>`)
    .join('')}</main></body></html>
`
}

function once(make: () => string): () => string {
  let made: string | undefined
  return () => (made ??= make())
}

export function mountReference(app: FastifyInstance, routes: readonly Route[]): void {
  // Written when they are first asked for: a server that starts has more urgent things to do, and few are ever asked.
  const document = once(() => JSON.stringify(apiDocument(routes)))
  const page = once(() => referencePage(routes))
  const styleHash = createHash('sha256').update(style).digest('base64')
  const policy = `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`
  app.get('/api/openapi.json', (_request, reply) => sendJson(reply, document()))
  app.get('/docs', (_request, reply) =>
    reply
      .header('content-type', 'text/html; charset=utf-8')
      .header('content-security-policy', policy)
      .header('referrer-policy', 'no-referrer')
      .send(page()),
  )
}
