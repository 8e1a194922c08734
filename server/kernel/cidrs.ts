import { BlockList, isIP, SocketAddress } from 'node:net'

type Family = 'ipv4' | 'ipv6'
type Address = { address: string; family: Family }
/** A block of addresses. An IPv4 block that is written as IPv6 is IPv4; any other of IPv6 contains no IPv4 address. */
type Block = Address & { bits: number }

const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/
const mappedBits = 96

/** An address in the form used for comparison: an IPv4 address that is mapped into IPv6, in any notation, is IPv4. */
function plainAddress(given: string): Address | null {
  const version = isIP(given)
  if (version === 0) return null
  if (version === 4) return { address: given, family: 'ipv4' }
  // Node writes every IPv6 address in one way only. The zone matters only on its machine.
  const { address } = new SocketAddress({ address: given.replace(/%.*$/s, ''), family: 'ipv6' })
  const ipv4 = mapped.exec(address)?.[1]
  return ipv4 ? { address: ipv4, family: 'ipv4' } : { address, family: 'ipv6' }
}

/** A CIDR block, or a bare address as a block of one; null if it is neither. */
export function blockOf(cidr: string): Block | null {
  const [given = '', bitsText, ...more] = cidr.split('/')
  const version = isIP(given)
  if (version === 0 || more.length > 0 || given.includes('%')) return null
  const width = version === 4 ? 32 : 128
  if (bitsText !== undefined && !/^\d{1,3}$/.test(bitsText)) return null
  const bits = bitsText === undefined ? width : Number(bitsText)
  if (bits > width) return null
  const plain = plainAddress(given)
  if (!plain || version === 4 || plain.family === 'ipv6') return plain && { ...plain, bits }
  return bits >= mappedBits ? { ...plain, bits: bits - mappedBits } : { address: given, family: 'ipv6', bits }
}

/** Whether an address lies in one of the blocks. Each family separately: Node would find an IPv4 address in `::/0`. */
function holds(blocks: readonly Block[]): (address: Address) => boolean {
  const lists = { ipv4: new BlockList(), ipv6: new BlockList() }
  for (const { address, bits, family } of blocks) lists[family].addSubnet(address, bits, family)
  return ({ address, family }) => lists[family].check(address, family)
}

/** Whether an address may use a credential that is limited to these blocks; without blocks there is no limit. */
export function addressCheck(cidrs: readonly string[]): (address: string) => boolean {
  if (cidrs.length === 0) return () => true
  const isIn = holds(cidrs.map(blockOf).filter((block) => block !== null))
  return (address) => {
    const plain = plainAddress(address)
    return plain !== null && isIn(plain)
  }
}

/** Whether every block lies within one of the others. */
export function liesWithin(cidrs: readonly string[], outer: readonly string[]): boolean {
  // Each created once: a thousand times a thousand of them took 16 s.
  const outside = outer
    .map(blockOf)
    .filter((block) => block !== null)
    .map((block) => ({ bits: block.bits, has: holds([block]) }))
  return cidrs.every((cidr) => {
    const inner = blockOf(cidr)
    return inner && outside.some(({ bits, has }) => bits <= inner.bits && has(inner))
  })
}
