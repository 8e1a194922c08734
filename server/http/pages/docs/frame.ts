import { createHash } from 'node:crypto'
import { version } from '#kernel/version.ts'
import { escape } from './html.ts'

const style = `
:root{color-scheme:light dark;--page:light-dark(#fff,#15171c);--side:light-dark(#f7f8fa,#1a1d23);--line:light-dark(#d9dde4,#343a45);--quiet:light-dark(#4f5867,#a9b2c0);--text:light-dark(#1b2029,#e4e7ec);--link:light-dark(#2a42a8,#9db0ff);--code:light-dark(#f3f5f9,#20242c);--mark:light-dark(#fff1b8,#5c4a10)}
*{box-sizing:border-box}
html{scroll-padding-top:1rem}
body{font:16px/1.6 system-ui,sans-serif;margin:0;background:var(--page);color:var(--text);overflow-wrap:break-word}
.frame{display:grid;grid-template-columns:17rem minmax(0,1fr);min-height:100vh}
.side{position:sticky;top:0;align-self:start;height:100vh;overflow-y:auto;background:var(--side);border-right:1px solid var(--line);padding:1.25rem 1rem;font-size:.9rem}
.side h2{font-size:.75rem;text-transform:uppercase;letter-spacing:.05em;color:var(--quiet);margin:1.25rem 0 .35rem;border:0;padding:0}
.side ul{list-style:none;margin:0;padding:0}.side li{margin:0}.side ul ul{padding-left:.75rem}
.side li a{display:block;padding:.15rem .4rem;border-radius:.25rem;text-decoration:none;color:var(--text)}
.side li a:hover{text-decoration:underline}.side a[aria-current]{background:light-dark(#e8edfd,#272f4d);font-weight:600}
.side summary{cursor:pointer;padding:.15rem .4rem}
.brand{font-weight:650;font-size:1.05rem;color:var(--text);text-decoration:none}
main{max-width:56rem;padding:1.75rem 2rem 5rem;min-width:0}
h1{margin:.2rem 0 .3rem;font-size:1.75rem;line-height:1.25}h2{margin-top:2.75rem;padding-bottom:.25rem;border-bottom:1px solid var(--line);font-size:1.3rem}h3{margin-top:2rem;font-size:1.05rem}
h4{margin:1rem 0 .2rem;font-size:.9rem}a{color:var(--link)}.quiet{color:var(--quiet);margin:.2rem 0}
code,pre{font-family:ui-monospace,monospace}code{font-size:.88em;background:var(--code);padding:.08em .3em;border-radius:.25rem}h3 code{background:none;padding:0}
pre{background:var(--code);border:1px solid var(--line);border-radius:.4rem;padding:.75rem 1rem;overflow-x:auto;font-size:.82rem;line-height:1.5;margin:.5rem 0}pre code{background:none;padding:0;font-size:inherit}
table{border-collapse:collapse;width:100%;font-size:.92rem}th,td{text-align:left;vertical-align:top;padding:.4rem .8rem .4rem 0;border-bottom:1px solid var(--line)}
.scroll{overflow-x:auto;margin:.75rem 0}
img{max-width:100%;height:auto;border:1px solid var(--line);border-radius:.4rem}
blockquote{margin:1rem 0;padding:.1rem 1rem;border-left:3px solid var(--line);color:var(--quiet)}
section{content-visibility:auto;contain-intrinsic-size:auto 400px}
.method{font:600 .78em ui-monospace,monospace;border:1px solid var(--line);border-radius:.3rem;padding:.1rem .4rem;margin-right:.25rem}
details.example{margin:.6rem 0}details.example>summary{cursor:pointer;color:var(--link)}
.search{display:flex;gap:.4rem;margin:1rem 0}.search input{flex:1;min-width:0;font:inherit;font-size:.9rem;padding:.35rem .6rem;border:1px solid light-dark(#8b93a1,#667085);border-radius:.3rem;background:var(--page);color:var(--text)}
.search button{font:inherit;font-size:.9rem;padding:.35rem .7rem;border:1px solid light-dark(#8b93a1,#667085);border-radius:.3rem;background:var(--page);color:var(--text);cursor:pointer}
.results{list-style:none;padding:0}.results li{margin:1.1rem 0}mark{background:var(--mark);color:inherit}
.skip{position:absolute;left:-99rem}.skip:focus{left:.5rem;top:.5rem;background:var(--page);padding:.4rem .8rem;border:1px solid var(--line);z-index:2}
:focus-visible{outline:2px solid var(--link);outline-offset:2px}
@media(max-width:60rem){.frame{display:block}.side{position:static;height:auto;border-right:0;border-bottom:1px solid var(--line);padding:.75rem 1rem}main{padding:1rem 1rem 4rem}
h1{font-size:1.45rem}.fields thead{position:absolute;clip-path:inset(50%);height:1px;width:1px;overflow:hidden}.fields tr,.fields td{display:block;border:0;padding:.05rem 0}.fields tr{border-bottom:1px solid var(--line);padding:.4rem 0}.wide{display:none}}
@media(min-width:60.01rem){.narrow{display:none}}`

const styleHash = createHash('sha256').update(style).digest('base64')

/** The page runs nothing and loads nothing but pictures of this server; its form goes to the search of this server. */
export const docsPolicy = `default-src 'none'; style-src 'sha256-${styleHash}'; img-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`

export type SideLink = { href: string; label: string }
export type Side = { guides: readonly SideLink[]; groups: readonly SideLink[] }

const links = (all: readonly SideLink[], current: string): string =>
  `<ul>${all.map(({ href, label }) => `<li><a href="${escape(href)}"${href === current ? ' aria-current="page"' : ''}>${label}</a></li>`).join('')}</ul>`

const searchField = (query: string, id: string): string => `
<form class="search" role="search" action="/docs/search" method="get"><input type="search" name="q" id="${id}" value="${escape(query)}" maxlength="200" placeholder="Search the docs" aria-label="Search the docs"><button type="submit">Search</button></form>`

/** A page of the docs, with its navigation beside it; in a narrow window above it, collapsed. */
export const docsPage = (
  { title, current, query = '' }: { title: string; current: string; query?: string },
  side: Side,
  content: string,
): string => {
  const navigation = `<h2>Guides</h2>${links(side.guides, current)}<h2>API reference</h2>${links(
    [
      { href: '/docs', label: 'All operations' },
      { href: '/api/openapi.json', label: 'OpenAPI document' },
    ],
    current,
  )}${current === '/docs' ? links(side.groups, '') : ''}`
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(title)} · Bailiwick</title><style>${style}</style></head><body>
<a class="skip" href="#content">Skip to the content</a>
<div class="frame"><aside class="side"><a class="brand" href="/docs/guides">Bailiwick docs</a> <span class="quiet">${version}</span>
${searchField(query, 'q')}<a href="/">Open the console</a>
<nav aria-label="Docs" class="wide">${navigation}</nav><details class="narrow"><summary>Contents</summary><nav aria-label="Contents">${navigation}</nav></details></aside>
<main id="content">${content}</main></div></body></html>
`
}
