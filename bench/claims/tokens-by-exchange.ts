import type { Claim } from '../claim.ts'
import { startExchange } from '../exchange.ts'
import { byAssertion, startSubject } from '../tokens.ts'

export const claim: Claim = {
  claim:
    'Tokens in exchange for tokens of a known issuer (RS256, a condition in CEL, the event on disk before the reply) come at ' +
    'least 0.5 times as fast as by client assertion.',
  unit: 'tokens/s',
  ratioMin: 0.5,
  rounds: 5,
  async start() {
    const subject = await startExchange()
    const { subject: floor } = await startSubject(byAssertion('/auth/v1/token', 70_000))
    return { subject, floor }
  },
}
