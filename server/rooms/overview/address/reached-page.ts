const escaped = (text: string): string => text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`)

/** What the browser shows that opened the one-time URL of an address. */
export const reachedPage = (origin: string): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Address reached · Bailiwick</title></head>
<body style="font:16px/1.5 system-ui,sans-serif;max-width:34rem;margin:4rem auto;padding:0 1rem">
<h1 style="font-size:1.25rem">This address leads to Bailiwick</h1>
<p>The server was called as <strong>${escaped(origin)}</strong>. Close this window, and continue in the one before.</p>
</body></html>
`
