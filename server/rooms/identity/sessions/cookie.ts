/** The cookies of signing in. They have no Domain: no other host, and no subdomain, gets or sets them. */
export type CookieName = 'bailiwick' | 'bailiwick-oidc'

// With the prefix, browsers accept such a cookie only from this host, by HTTPS, for all of its paths.
const nameFor = (name: CookieName, origin: string): string => (origin.startsWith('https://') ? `__Host-${name}` : name)

/** The value of a cookie in a Cookie header, or null. */
export function cookieIn(header: string | undefined, name: CookieName, origin: string): string | null {
  if (header === undefined) return null
  const prefix = `${nameFor(name, origin)}=`
  for (const part of header.split(';')) {
    const pair = part.trim()
    if (pair.startsWith(prefix)) return pair.slice(prefix.length)
  }
  return null
}

type Cookie = { name: CookieName; value: string; maxAgeSeconds: number; sameSite: 'Strict' | 'Lax' }

/** A Set-Cookie header. Without a value it removes the cookie. */
export const cookieText = ({ name, value, maxAgeSeconds, sameSite }: Cookie, origin: string): string =>
  [
    `${nameFor(name, origin)}=${value}`,
    'Path=/',
    `Max-Age=${value === '' ? 0 : maxAgeSeconds}`,
    'HttpOnly',
    `SameSite=${sameSite}`,
    ...(origin.startsWith('https://') ? ['Secure'] : []),
  ].join('; ')

// Strict: the console's page itself needs no cookie, so it opens from a link in an email too, and then its own requests
// send the cookie.
export const sessionCookie = (value: string, maxAgeSeconds: number, origin: string): string =>
  cookieText({ name: 'bailiwick', value, maxAgeSeconds, sameSite: 'Strict' }, origin)
