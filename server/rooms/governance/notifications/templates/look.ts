import { type Notice, type Place, settingsUrl } from './notice.ts'

/** The console's colors (console/src/global.css), for light and dark mode. */
const day = {
  page: '#f7f8fa',
  surface: '#ffffff',
  line: '#e1e4ea',
  quiet: '#545d6c',
  text: '#1b2029',
  link: '#2a42a8',
  button: '#3550c4',
  quote: '#f1f3f8',
}
const night = {
  page: '#15171c',
  surface: '#1c1f26',
  line: '#2e333d',
  quiet: '#a6afbe',
  text: '#e4e7ec',
  link: '#9db0ff',
  button: '#4661dc',
  quote: '#232730',
}

const font = "-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"

/** Names and comments are escaped: they are not markup. */
const escaped = (text: string): string =>
  text.replace(
    /[&<>"']/g,
    (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' })[c] as string,
  )

const dark = Object.entries({
  'b-page': `background:${night.page}!important`,
  'b-card': `background:${night.surface}!important;border-color:${night.line}!important`,
  'b-text': `color:${night.text}!important`,
  'b-quiet': `color:${night.quiet}!important`,
  'b-link': `color:${night.link}!important`,
  'b-button': `background:${night.button}!important`,
  'b-quote': `background:${night.quote}!important;color:${night.text}!important;border-color:${night.line}!important`,
  'b-line': `border-color:${night.line}!important`,
})
// Outlook on the web sets an attribute on what it has darkened; other clients use the media query.
const styles = `
:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (max-width:620px){.b-card{padding:20px!important}}
@media (prefers-color-scheme:dark){${dark.map(([name, style]) => `.${name}{${style}}`).join('')}}
${dark.map(([name, style]) => `[data-ogsc] .${name}{${style}}`).join('')}`

const paragraph = (text: string): string =>
  `<p class="b-text" style="margin:0 0 12px;color:${day.text};font-size:15px;line-height:1.55">${escaped(text)}</p>`

const quoted = ({ by, text }: { by: string; text: string }): string =>
  `<div class="b-quote" style="margin:4px 0 16px;padding:10px 14px;background:${day.quote};border-left:3px solid ${day.line};color:${day.text};font-size:14px;line-height:1.5"><div class="b-quiet" style="color:${day.quiet};font-size:12px;margin-bottom:2px">${escaped(by)}</div>${escaped(text).replaceAll('\n', '<br />')}</div>`

const factTable = (facts: Notice['facts']): string =>
  facts.length === 0
    ? ''
    : `<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:0 0 18px;border-collapse:collapse">${facts
        .map(
          ({ name, value }) =>
            `<tr><td class="b-quiet" style="padding:3px 16px 3px 0;color:${day.quiet};font-size:13px;vertical-align:top;white-space:nowrap">${escaped(name)}</td><td class="b-text" style="padding:3px 0;color:${day.text};font-size:14px;vertical-align:top">${escaped(value)}</td></tr>`,
        )
        .join('')}</table>`

const itemList = ({ items, more }: Pick<Notice, 'items' | 'more'>): string =>
  items.length === 0
    ? ''
    : `<div style="margin:0 0 18px">${items
        .map(
          ({ title, detail, url }) =>
            `<div class="b-line" style="padding:9px 0;border-top:1px solid ${day.line}"><a class="b-link" href="${escaped(url)}" style="color:${day.link};font-size:14px;font-weight:600;text-decoration:none">${escaped(title)}</a><div class="b-quiet" style="color:${day.quiet};font-size:13px;line-height:1.45">${escaped(detail)}</div></div>`,
        )
        .join('')}${more > 0 ? paragraph(`And ${more} more.`) : ''}</div>`

/** A notice as HTML for mail clients: with tables, and styles on each element, because many of them support nothing else. */
export function htmlOf(place: Place, notice: Notice): string {
  const { title, lines, quote, facts, action, why } = notice
  return `<!doctype html>
<html lang="en" xmlns="http://www.w3.org/1999/xhtml"><head><meta charset="utf-8" /><meta name="viewport" content="width=device-width, initial-scale=1" /><meta name="color-scheme" content="light dark" /><meta name="supported-color-schemes" content="light dark" /><title>${escaped(notice.subject)}</title><style>${styles}</style></head>
<body class="b-page" style="margin:0;padding:0;background:${day.page};font-family:${font}">
<div style="display:none;max-height:0;overflow:hidden">${escaped(lines[0] ?? '')}</div>
<table role="presentation" class="b-page" width="100%" cellpadding="0" cellspacing="0" border="0" style="background:${day.page}"><tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:600px"><tr><td style="padding:0 4px 12px">
<span style="display:inline-block;padding:3px 8px;background:#2b4acb;border-radius:6px;color:#ffffff;font-size:13px;font-weight:700">B</span>
<span class="b-text" style="padding-left:6px;color:${day.text};font-size:15px;font-weight:600">Bailiwick</span>
<span class="b-quiet" style="padding-left:6px;color:${day.quiet};font-size:13px">${escaped(place.organisation)}</span>
</td></tr><tr><td class="b-card" style="padding:28px;background:${day.surface};border:1px solid ${day.line};border-radius:8px">
<h1 class="b-text" style="margin:0 0 14px;color:${day.text};font-size:20px;line-height:1.3;font-weight:600">${escaped(title)}</h1>
${lines.map(paragraph).join('')}${quote ? quoted(quote) : ''}${factTable(facts)}${itemList(notice)}
<a class="b-button" href="${escaped(action.url)}" style="display:inline-block;padding:10px 18px;background:${day.button};border-radius:4px;color:#ffffff;font-size:15px;font-weight:600;text-decoration:none">${escaped(action.label)}</a>
</td></tr><tr><td class="b-quiet" style="padding:14px 4px;color:${day.quiet};font-size:12px;line-height:1.5">${escaped(why)} Opening a link does not decide anything: you sign in and decide in the console.<br /><a class="b-link" href="${escaped(settingsUrl(place))}" style="color:${day.link}">Choose which notifications you get</a></td></tr></table>
</td></tr></table></body></html>
`
}

/** The same as plain text. */
export function textOf(place: Place, notice: Notice): string {
  const { title, lines, quote, facts, items, more, action, why } = notice
  const parts = [
    title,
    ...lines,
    quote ? `${quote.by}:\n${quote.text.replace(/^/gm, '> ')}` : '',
    facts.map(({ name, value }) => `${name}: ${value}`).join('\n'),
    items.map((item) => `- ${item.title}\n  ${item.detail}\n  ${item.url}`).join('\n'),
    more > 0 ? `And ${more} more.` : '',
    `${action.label}:\n${action.url}`,
    `-- \n${why}\nOpening a link does not decide anything: you sign in and decide in the console.\nChoose which notifications you get: ${settingsUrl(place)}`,
  ]
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`
}
