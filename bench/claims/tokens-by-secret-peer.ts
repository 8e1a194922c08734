import type { Claim } from '../claim.ts'
import { bySecret, startPeer, startSubject } from '../tokens.ts'

export const claim: Claim = {
  claim:
    'Tokens by client secret, each with its event on disk before the reply, come at least twice as fast as from ' +
    'oidc-provider with client credentials, JWT access tokens and its in-memory adapter, which writes nothing to disk.',
  unit: 'tokens/s',
  ratioMin: 2,
  rounds: 7,
  async start() {
    const { subject, client } = await startSubject(bySecret('/auth/v1/token'))
    return { subject, floor: await startPeer(client, bySecret('/token'), '') }
  },
}
