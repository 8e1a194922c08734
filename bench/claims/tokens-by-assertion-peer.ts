import type { Claim } from '../claim.ts'
import { byAssertion, startPeer, startSubject } from '../tokens.ts'

export const claim: Claim = {
  claim:
    'Tokens by client assertion, each with its use and its event on disk before the reply, come at least 1.5 times as ' +
    'fast as from oidc-provider with private_key_jwt, which writes nothing to disk.',
  unit: 'tokens/s',
  ratioMin: 1.5,
  rounds: 7,
  async start() {
    // Each assertion once, with a jti, on both sides: oidc-provider insists.
    const { subject, client } = await startSubject(byAssertion('/auth/v1/token', 80_000))
    return { subject, floor: await startPeer(client, byAssertion('/token', 80_000), '-jwt') }
  },
}
