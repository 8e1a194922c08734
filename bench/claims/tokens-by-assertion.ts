import type { Claim } from '../claim.ts'
import { byAssertion, startFloor, startSubject } from '../tokens.ts'

// Each is honoured once; 7 rounds of 2 s take some 45,000.
const requests = byAssertion('/auth/v1/token', 90_000)

export const claim: Claim = {
  claim:
    'Tokens by client assertion come at least 0.6 times as fast as from a bare node:http server that verifies one ' +
    'assertion and signs one JWT.',
  unit: 'tokens/s',
  ratioMin: 0.6,
  rounds: 7,
  async start() {
    const { subject, client } = await startSubject(requests)
    return { subject, floor: await startFloor(client, requests) }
  },
}
