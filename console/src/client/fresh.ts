/** What became of the question: they signed in again, or closed it; or there is no page that could ask. */
export type FreshAnswer = 'signed in' | 'closed' | 'nobody asks'

/** Asks the person to sign in again, in place. Set by the shell, which shows the question. */
let askPerson: (() => Promise<FreshAnswer>) | null = null
export const whenFreshNeeded = (asks: (() => Promise<FreshAnswer>) | null): void => {
  askPerson = asks
}

let asking: Promise<FreshAnswer> | null = null

/** Several requests that need it at once ask once. */
export function signInAfresh(): Promise<FreshAnswer> {
  asking ??= (askPerson?.() ?? Promise.resolve<FreshAnswer>('nobody asks')).finally(() => {
    asking = null
  })
  return asking
}

const channelName = 'bailiwick-signed-in'

/** For the other tabs of this browser: they ask the server who is signed in. */
export function notifySignedIn(): void {
  const channel = new BroadcastChannel(channelName)
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has none: it is of this origin
  channel.postMessage(null)
  channel.close()
}

/** Calls back when someone may have signed in elsewhere in this browser: another tab said so, or they return to this one. */
export function whenMaybeSignedIn(told: () => void): () => void {
  const channel = new BroadcastChannel(channelName)
  const onVisible = (): void => {
    if (document.visibilityState === 'visible') told()
  }
  channel.addEventListener('message', told)
  window.addEventListener('focus', told)
  document.addEventListener('visibilitychange', onVisible)
  return () => {
    channel.close()
    window.removeEventListener('focus', told)
    document.removeEventListener('visibilitychange', onVisible)
  }
}
