type Headers = { readonly [name: string]: string | string[] | undefined }
/** How a request reached this server. */
export type Reached = { origin: string; sourceAddress: string; headers: Headers }

const lengthMax = 500
const headerOf = (headers: Headers, name: string): string => String(headers[name] ?? '').slice(0, lengthMax)
const plainAddress = (text: string): string => text.trim().replace(/^::ffff:(?=\d+\.)/i, '')

/** What this server sees of a proxy, and what is wrong with that. */
export function describeRequest({ origin, sourceAddress, headers }: Reached) {
  const forwardedFor = headerOf(headers, 'x-forwarded-for')
  const forwardedProto = headerOf(headers, 'x-forwarded-proto')
  const forwardedHost = headerOf(headers, 'x-forwarded-host')
  const isForwardingUsed = forwardedFor.split(',').map(plainAddress).includes(sourceAddress)
  const url = URL.parse(origin)
  const problems: string[] = []
  if ((forwardedFor !== '' || forwardedProto !== '') && !isForwardingUsed)
    problems.push(
      `The headers of a proxy came from ${sourceAddress}, which is not trusted, and were ignored. Start the server with --trusted-proxy ${sourceAddress} if that is your proxy.`,
    )
  if (isForwardingUsed && forwardedProto === '')
    problems.push('The proxy does not send X-Forwarded-Proto: this server takes the request for plain HTTP.')
  if (forwardedHost !== '' && url && forwardedHost.toLowerCase() !== url.host)
    problems.push(
      `The proxy passes on ${url.host} as the Host, and was called as ${forwardedHost}. It must pass on the Host header as it is.`,
    )
  return { address: origin, sourceAddress, forwardedFor, forwardedProto, forwardedHost, isForwardingUsed, problems }
}
