import { BlockList, isIP } from 'node:net'

/** The network that an address is counted by: an IPv4 address by itself, an IPv6 address by its /64, which one customer has. */
export function networkOf(address: string): string {
  const bare = address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '')
  if (isIP(bare) !== 6) return bare
  const [head, tail] = bare.toLowerCase().split('::', 2) as [string, string?]
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  // A dotted end, as in 64:ff9b::192.0.2.1, stands for two groups; it is never among the first four unless all are there.
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length)
  const groups = [...left, ...Array.from({ length: zeros }, () => '0'), ...right]
  const first = groups.slice(0, 4).map((group) => group.replace(/^0+(?=.)/, ''))
  return `${first.join(':')}::/64`
}

/** Whether an address is in one of the blocks; a bare address is a block of one. */
export function blocksOf(cidrs: readonly string[]): (address: string) => boolean {
  const blocks = new BlockList()
  for (const cidr of cidrs) {
    const [address = '', bits] = cidr.split('/')
    const family = isIP(address) === 4 ? 'ipv4' : 'ipv6'
    blocks.addSubnet(address, bits === undefined ? (family === 'ipv4' ? 32 : 128) : Number(bits), family)
  }
  return (address) => {
    const bare = address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '')
    const family = isIP(bare)
    return family !== 0 && blocks.check(bare, family === 4 ? 'ipv4' : 'ipv6')
  }
}
