const ipv4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)\.){3}(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)$/
const group = /^[0-9a-f]{1,4}$/i

/** Whether it is written as an IPv6 address: eight groups, or fewer around one `::`; the last two may be IPv4. */
function isIpv6(text: string): boolean {
  const halves = text.split('::')
  if (halves.length > 2) return false
  const groups = halves.flatMap((half) => (half === '' ? [] : half.split(':')))
  const last = groups.at(-1) ?? ''
  const tail = last.includes('.') ? (ipv4.test(last) ? 2 : Number.NaN) : groups.length > 0 && group.test(last) ? 1 : 0
  if (groups.length > 0 && !tail) return false
  if (!groups.slice(0, -1).every((each) => group.test(each))) return false
  const count = Math.max(groups.length - 1, 0) + tail
  return halves.length === 2 ? count <= 7 : count === 8
}

/** What is wrong with an address or a CIDR block as it is typed; null when nothing is. The API has the last word. */
export function addressProblem(text: string): string | null {
  const [address = '', bits, ...more] = text.split('/')
  const is4 = ipv4.test(address)
  if (more.length > 0 || (!is4 && !isIpv6(address)))
    return `${text} is not an IP address or CIDR block, such as 192.0.2.0/24 or 2001:db8::/32`
  const width = is4 ? 32 : 128
  if (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= width)) return null
  return `${text}: the prefix length must be a number from 0 to ${width}`
}
