import { signInByPasskey, signInPasskeyOptions } from '#client/api/operations.ts'
import { call } from './call.ts'

/** Signs in with a passkey, in place of any session before; as someone in particular, where named. */
export async function signInWithPasskey(userId = ''): Promise<void> {
  const { startAuthentication } = await import('@simplewebauthn/browser')
  const { options } = await call(signInPasskeyOptions, {})
  const response = await startAuthentication({ optionsJSON: options as never })
  await call(signInByPasskey, { body: { response: response as never, userId } })
}
