import { BlockList, isIP, SocketAddress } from 'node:net'

const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/

/**
 * The key of the budget that an address counts against. The holder of one IPv6 address has the whole /64 around it, so
 * that counts as one; an IPv4 address is its own key, also if it is mapped into IPv6, in any notation. So is a text
 * that is not an address.
 */
export function networkOf(address: string): string {
  const bare = address.replace(/%.*$/s, '')
  if (isIP(bare) !== 6) return address
  // Node writes every IPv6 address in one way only.
  const { address: plain } = new SocketAddress({ address: bare, family: 'ipv6' })
  const ipv4 = mapped.exec(plain)?.[1]
  if (ipv4) return ipv4
  const [left = [], right = []] = plain.split('::').map((half) => half.split(':').filter((group) => group !== ''))
  const zeros = plain.includes('::') ? Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0') : []
  return `${[...left, ...zeros, ...right].slice(0, 4).join(':')}::/64`
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
