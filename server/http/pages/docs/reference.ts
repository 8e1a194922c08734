import { anyone, authenticated, type Route, signedIn } from '#kernel/routes.ts'
import type { Fields, JsonSchema, Message } from '#kernel/wire.ts'
import { examplesOf } from './examples.ts'
import type { SideLink } from './frame.ts'
import { breakable, escape } from './html.ts'
import type { Entry } from './search.ts'

const anchor = (name: string): string => `m-${name.replace(/\W/g, '-')}`
const groupOf = ({ id }: Route): string => id.split('.').slice(0, -1).join('.')
const groupAnchor = (group: string): string => `g-${group.replace(/\W/g, '-')}`

type Messages = ReadonlyMap<string, Message<Fields>>

/** Every message of the routes by its name. */
const messagesOf = (routes: readonly Route[]): Messages =>
  new Map(
    routes
      .flatMap((route) => [...(route.body?.messages ?? []), ...route.reply.messages])
      .map((each) => [each.name, each] as const),
  )

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
    return `<a href="#${anchor(name)}">${breakable(name)}</a>`
  }
  if (oneOf) return oneOf.map(typeOf).join(' or ')
  if (items) return `list of ${typeOf(items)}`
  if (values) return values.map((value) => `<code>${breakable(value)}</code>`).join(' | ')
  return escape([[type].flat().join(' or '), format].filter(Boolean).join(', '))
}

const notesOf = (schema: JsonSchema): string =>
  [schema['readOnly'] ? 'Read-only.' : '', (schema['description'] as string) ?? ''].join(' ').trim()

const fieldRows = (of: Message<Fields>): string => {
  const rows = Object.entries(of.fields).map(
    ([name, { schema }]) =>
      `<tr><td><code>${breakable(name)}</code></td><td>${typeOf(schema)}</td><td>${escape(notesOf(schema))}</td></tr>`,
  )
  return rows.length === 0
    ? '<p class="quiet">No fields.</p>'
    : `<table class="fields"><thead><tr><th>Field</th><th>Type</th><th>Description</th></tr></thead><tbody>${rows.join('')}</tbody></table>`
}

const needed = ({ allow, ownPages }: Route): string => {
  if (allow === anyone) return ownPages ? "for the console's own pages" : 'no token needed'
  if (allow === signedIn) return 'needs a session of the console'
  return allow === authenticated ? 'needs a token' : `needs the permission <code>${escape(allow)}</code>`
}

function exampleOf(route: Route, messages: Messages): string {
  const examples = examplesOf(route, messages)
  if (!examples) return ''
  const block = (title: string, code: string): string =>
    `<h4>${title}</h4><pre tabindex="0"><code>${escape(code)}</code></pre>`
  return `<details class="example"><summary>Example</summary>${block('curl', examples.curl)}${examples.typescript === null ? '' : block('TypeScript', examples.typescript)}</details>`
}

const operation = (route: Route, messages: Messages): string => `
<section id="${escape(route.id)}">
<h3><span class="method">${route.method}</span> <code title="${escape(route.path)}">${breakable(route.path)}</code></h3>
<p>${escape(route.summary)}</p>
<p class="quiet">${breakable(route.id)} · ${needed(route)}</p>
${exampleOf(route, messages)}
${Object.keys(route.query.fields).length > 0 ? `<h4>Query</h4>${fieldRows(route.query)}` : ''}
${route.body ? `<h4>Body${route.form ? ', a form' : ''}</h4>${fieldRows(route.body)}` : ''}
<h4>Reply</h4>${route.download ? `<p>A file: ${route.download.map((type) => `<code>${escape(type)}</code>`).join(' or ')}.</p>` : fieldRows(route.reply)}
</section>`

const grouped = (routes: readonly Route[]): [group: string, own: Route[]][] => [...Map.groupBy(routes, groupOf)]

export const groupLinks = (routes: readonly Route[]): SideLink[] =>
  grouped(routes).map(([group]) => ({ href: `#${groupAnchor(group)}`, label: breakable(group) }))

/** What a search finds in the reference. */
export const referenceEntries = (routes: readonly Route[]): Entry[] =>
  routes.map((route) => ({
    href: `/docs#${route.id}`,
    title: `${route.method} ${route.path}`,
    within: route.id,
    text: [
      route.summary,
      ...[route.query, route.body, route.reply].flatMap((of) => Object.keys(of?.fields ?? {})),
      route.allow,
    ].join(' '),
  }))

/** The reference for people, built from the route table. */
export function referenceHtml(routes: readonly Route[]): string {
  const messages = messagesOf(routes)
  return `<header><h1>API reference</h1></header>
<p>Get an access token at <a href="#auth.v1.Token.Issue"><code>POST /auth/v1/token</code></a> and send it with each request:
<code>Authorization: Bearer ACCESS_TOKEN</code>. Lists take <code>page_size</code> (10 to 100, 25 by default) and
<code>page_token</code>; lists called with POST take them in the body. Field names are accepted in lowerCamelCase and in
snake_case.</p>
<h2 id="examples">Before the examples</h2>
<p>The curl examples use two variables, the TypeScript examples a client of the package <code>@bailiwick/client</code>:</p>
<pre tabindex="0"><code>export BAILIWICK_URL=https://access.example.com
export TOKEN=$(curl -s "$BAILIWICK_URL/auth/v1/token" -d grant_type=client_credentials \\
  -d "client_id=$CLIENT_ID" -d "client_secret=$CLIENT_SECRET" | jq -r .access_token)</code></pre>
<pre tabindex="0"><code>import { Bailiwick, bySecret } from '@bailiwick/client'

const bailiwick = new Bailiwick({ signIn: bySecret({ clientId, clientSecret }) })</code></pre>
${grouped(routes)
  .map(
    ([group, own]) =>
      `<h2 id="${groupAnchor(group)}">${breakable(group)}</h2>${own.map((route) => operation(route, messages)).join('')}`,
  )
  .join('')}
<h2 id="messages">Messages</h2>${[...messages.values()]
    .filter(({ name }) => name !== '')
    .map((each) => `<section id="${anchor(each.name)}"><h3>${breakable(each.name)}</h3>${fieldRows(each)}</section>`)
    .join('')}`
}
