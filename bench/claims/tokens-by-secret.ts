import type { Claim } from '../claim.ts'
import { bySecret, startFloor, startSubject } from '../tokens.ts'

const requests = bySecret('/auth/v1/token')

export const claim: Claim = {
  claim:
    'Tokens by client secret, each with its event on disk before the reply, come at least 0.6 times as fast as from a ' +
    'bare node:http server that parses the same form, hashes the secret and signs one JWT.',
  unit: 'tokens/s',
  ratioMin: 0.6,
  rounds: 7,
  async start() {
    const { subject, client } = await startSubject(requests)
    return { subject, floor: await startFloor(client, requests) }
  },
}
