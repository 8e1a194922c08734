import { networkOf } from '#kernel/networks.ts'
import { Refusal } from '#kernel/refusals.ts'

/** How many bytes of bodies from unknown senders may be in transit: from a network, and in all. */
export type StrangerLimits = { network: number; all: number }

export type Held = {
  /** Counts a piece of the body; refuses if too much is in transit. */
  add(bytes: number): void
  /** The body has arrived, or was abandoned. */
  release(): void
}
export type StrangersBodies = { hold(sourceAddress: string): Held; readonly bytes: number }

/** What a piece uses besides its bytes: a body may come in pieces of one byte. */
const pieceBytes = 128

/**
 * With HTTP/2 a connection carries a hundred bodies at once, and each may take half a minute: without a limit a few
 * connections fill the memory. Callers with a token are not counted here.
 */
export function countStrangersBodies(
  limits: StrangerLimits,
  onRefused: (of: string) => void = () => {},
): StrangersBodies {
  const byNetwork = new Map<string, number>()
  let all = 0
  const change = (network: string, by: number): void => {
    all += by
    const sum = (byNetwork.get(network) ?? 0) + by
    if (sum > 0) byNetwork.set(network, sum)
    else byNetwork.delete(network)
  }
  return {
    hold(sourceAddress) {
      const network = networkOf(sourceAddress)
      let held = 0
      return {
        add(bytes) {
          const isOver = all > limits.all || (byNetwork.get(network) ?? 0) > limits.network
          if (isOver) {
            onRefused('network')
            throw new Refusal('TOO_MANY_REQUESTS', 'Too many requests are being received; try again shortly.', {
              retryAfterSeconds: 1,
            })
          }
          held += bytes + pieceBytes
          change(network, bytes + pieceBytes)
        },
        release() {
          change(network, -held)
          held = 0
        },
      }
    },
    get bytes() {
      return all
    },
  }
}
