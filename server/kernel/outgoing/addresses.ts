import { BlockList, isIP, SocketAddress } from 'node:net'

/** What an operator allows in addition to public addresses by HTTPS. */
export type OutgoingRules = {
  /** Networks, as in 10.0.0.0/8, and names of hosts, whose private addresses may be called. */
  readonly allow: readonly string[]
  readonly isHttpAllowed: boolean
  /** Certificate authorities in PEM, besides those of Node. */
  readonly ca?: string | undefined
}

export const strictRules: OutgoingRules = { allow: [], isHttpAllowed: false }

type Block = readonly [address: string, bits: number]
const listOf = (ipv4: readonly Block[], ipv6: readonly Block[]): BlockList => {
  const list = new BlockList()
  for (const [address, bits] of ipv4) list.addSubnet(address, bits, 'ipv4')
  for (const [address, bits] of ipv6) list.addSubnet(address, bits, 'ipv6')
  return list
}

/**
 * Never called, whatever is allowed: link-local and multicast addresses, those that mean "this host", and the addresses
 * from which clouds give credentials to every process inside.
 */
const never = listOf(
  [
    ['0.0.0.0', 8],
    ['169.254.0.0', 16],
    ['224.0.0.0', 4],
    ['240.0.0.0', 4],
    // Metadata of Oracle Cloud, Alibaba Cloud and Azure.
    ['192.0.0.192', 32],
    ['100.100.100.200', 32],
    ['168.63.129.16', 32],
  ],
  [
    ['::', 128],
    ['fe80::', 10],
    ['fec0::', 10],
    ['ff00::', 8],
    // Metadata of AWS.
    ['fd00:ec2::254', 128],
  ],
)

/** The special-purpose registries of IANA (RFC 6890), as far as they are not global. */
const privateIpv4 = listOf(
  [
    ['10.0.0.0', 8],
    ['100.64.0.0', 10],
    ['127.0.0.0', 8],
    ['172.16.0.0', 12],
    ['192.0.0.0', 24],
    ['192.0.2.0', 24],
    ['192.88.99.0', 24],
    ['192.168.0.0', 16],
    ['198.18.0.0', 15],
    ['198.51.100.0', 24],
    ['203.0.113.0', 24],
  ],
  [],
)
/** Of IPv6, only this is global; within it, some are tunnels to an IPv4 address, or for documentation. */
const globalIpv6 = listOf([], [['2000::', 3]])
const notGlobalIpv6 = listOf(
  [],
  [
    ['2001::', 23],
    ['2001:db8::', 32],
    ['2002::', 16],
    ['3fff::', 20],
  ],
)

const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/

/** The canonical form of an address; one that is mapped into IPv6 is the IPv4 address. Null for anything else. */
function plainAddress(address: string): string | null {
  const bare = address.replace(/%.*$/s, '')
  const family = isIP(bare)
  if (family === 0) return null
  if (family === 4) return bare
  const { address: plain } = new SocketAddress({ address: bare, family: 'ipv6' })
  return mapped.exec(plain)?.[1] ?? plain
}

const isIn = (list: BlockList, address: string): boolean => list.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6')

const isGlobal = (address: string): boolean =>
  isIP(address) === 4 ? !isIn(privateIpv4, address) : isIn(globalIpv6, address) && !isIn(notGlobalIpv6, address)

/** The form in which hosts are compared: without the dot of the root. */
const hostName = (host: string): string => host.toLowerCase().replace(/\.$/, '')

/** Whether an address of a host may be called. */
export type MayCall = (host: string, address: string) => boolean

export function mayCallBy({ allow }: Pick<OutgoingRules, 'allow'>): MayCall {
  const networks = new BlockList()
  const hosts = new Set<string>()
  for (const entry of allow) {
    const [start = '', bits] = entry.split('/')
    const family = isIP(start)
    if (family === 0) hosts.add(hostName(entry))
    else
      networks.addSubnet(start, bits === undefined ? (family === 4 ? 32 : 128) : Number(bits), `ipv${family as 4 | 6}`)
  }
  return (host, address) => {
    const plain = plainAddress(address)
    if (plain === null || isIn(never, plain)) return false
    return isGlobal(plain) || isIn(networks, plain) || hosts.has(hostName(host))
  }
}

/** Whether a text is a network, an address or the name of a host, as `--outgoing-allow` takes it. */
export function isAllowable(entry: string): boolean {
  const [start = '', bits, ...more] = entry.split('/')
  const family = isIP(start)
  if (family === 0)
    return /^(?=.{1,253}\.?$)[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*\.?$/i.test(entry)
  return (
    more.length === 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128)))
  )
}
