/**
 * Where to go after signing in: a page of this very origin, or the start. What the browser would make of the text decides,
 * and not how it looks: browsers drop tabs and line ends, take a backslash for a slash, and leave out dots.
 */
export function destination(returnTo: string | undefined, origin: string): string {
  // Printable, without spaces; no backslash; one slash at the start.
  if (returnTo === undefined || !/^\/(?!\/)[\x21-\x5b\x5d-\x7e]*$/.test(returnTo)) return '/'
  const url = URL.parse(returnTo, origin)
  if (!url || url.origin !== origin || url.pathname.startsWith('//')) return '/'
  return url.pathname + url.search + url.hash
}
