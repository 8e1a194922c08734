import { useEffect, useRef, useState } from 'react'
import { sessionCurrent } from '#client/api/operations.ts'
import { ApiError } from '#client/api-error.ts'
import { ask } from '../client/call.ts'
import { whenMaybeSignedIn } from '../client/fresh.ts'

export type Elsewhere = {
  state: 'waiting' | 'not yet' | 'nobody' | 'other'
  /** Who is signed in, if it is someone else. */
  name: string
  /** Asks the server now. */
  check: () => void
}

const whoIsThere = () =>
  ask(sessionCurrent, {}).catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 401) return null
    throw error
  })

/**
 * Notices that the same person has signed in again in another tab: the server says so, since this page cannot read the
 * cookie. By the id of the session and not by its time, because the clock of this computer may be wrong.
 */
export function useSignInElsewhere(userId: string, onSignedIn: () => void): Elsewhere {
  const [seen, setSeen] = useState<{ state: Elsewhere['state']; name: string }>({ state: 'waiting', name: '' })
  const before = useRef<string | null>(null)
  const isDone = useRef(false)
  const told = useRef(onSignedIn)
  told.current = onSignedIn

  const check = async (isAskedFor: boolean): Promise<void> => {
    const found = await whoIsThere()
    if (isDone.current || before.current === null) return
    if (!found) return setSeen({ state: 'nobody', name: '' })
    if (found.user?.id !== userId) return setSeen({ state: 'other', name: found.user?.displayName ?? '' })
    if (found.session && found.session.id !== before.current) {
      isDone.current = true
      told.current()
    } else setSeen({ state: isAskedFor ? 'not yet' : 'waiting', name: '' })
  }

  useEffect(() => {
    isDone.current = false
    // A failure shows when the question is answered: this only looks.
    const ignore = (): void => {}
    whoIsThere().then((found) => {
      before.current ??= found?.session?.id ?? ''
    }, ignore)
    const stop = whenMaybeSignedIn(() => void check(false).catch(ignore))
    return () => {
      isDone.current = true
      stop()
    }
    // oxlint-disable-next-line react/exhaustive-deps -- once for the question
  }, [])
  return { ...seen, check: () => void check(true).catch(() => setSeen({ state: 'not yet', name: '' })) }
}
