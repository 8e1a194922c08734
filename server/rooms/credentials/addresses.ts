import { BlockList, isIP } from 'node:net'

/** A block of addresses. An IPv4 block that is written as IPv6 counts as IPv4. */
type Block = { address: string; bits: number; family: 'ipv4' | 'ipv6' }

const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i

/** A source address as it is compared: an IPv4 one that came mapped into IPv6 is IPv4. */
const plainAddress = (address: string): string => mapped.exec(address)?.[1] ?? address

/** A CIDR block, or a bare address for itself; null when it is neither. */
export function blockOf(cidr: string): Block | null {
  const [given = '', bitsText, ...more] = cidr.split('/')
  const version = isIP(given)
  if (version === 0 || more.length > 0 || given.includes('%')) return null
  const width = version === 4 ? 32 : 128
  if (bitsText !== undefined && !/^\d{1,3}$/.test(bitsText)) return null
  const bits = bitsText === undefined ? width : Number(bitsText)
  if (bits > width) return null
  const address = plainAddress(given)
  if (address !== given && bits >= 96) return { address, bits: bits - 96, family: 'ipv4' }
  return { address: given, bits, family: version === 4 ? 'ipv4' : 'ipv6' }
}

const listOf = (blocks: readonly Block[]): BlockList => {
  const list = new BlockList()
  for (const { address, bits, family } of blocks) list.addSubnet(address, bits, family)
  return list
}

/** Whether an address may use a credential that is limited to these blocks; no blocks are no limit. */
export function addressCheck(cidrs: readonly string[]): (address: string) => boolean {
  if (cidrs.length === 0) return () => true
  const list = listOf(cidrs.map(blockOf).filter((block) => block !== null))
  return (address) => {
    const plain = plainAddress(address)
    const version = isIP(plain)
    return version !== 0 && list.check(plain, version === 4 ? 'ipv4' : 'ipv6')
  }
}

/** Whether every block lies within one of the others. */
export function liesWithin(cidrs: readonly string[], outer: readonly string[]): boolean {
  const outside = outer.map(blockOf).filter((block) => block !== null)
  return cidrs.every((cidr) => {
    const inner = blockOf(cidr)
    return (
      inner && outside.some((block) => block.bits <= inner.bits && listOf([block]).check(inner.address, inner.family))
    )
  })
}
