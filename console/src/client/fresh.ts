/** Asks the person to sign in again, in place; whether they did. Set by the shell, which shows the question. */
let askPerson: (() => Promise<boolean>) | null = null
export const whenFreshNeeded = (asks: (() => Promise<boolean>) | null): void => {
  askPerson = asks
}

let asking: Promise<boolean> | null = null

/** Several requests that need it at once ask once. */
export function signInAfresh(): Promise<boolean> {
  asking ??= (askPerson?.() ?? Promise.resolve(false)).finally(() => {
    asking = null
  })
  return asking
}
