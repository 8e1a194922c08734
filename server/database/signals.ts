import { randomBytes } from 'node:crypto'
import { openWakes, type Wakes } from '#kernel/wakes.ts'
import type { Log } from '#kernel/world.ts'
import type { Target } from './driver/connect.ts'
import { Connection } from './driver/connection.ts'

const channel = 'bailiwick'
/**
 * How often a process notifies the others of changes, at most. Not in the transactions themselves: PostgreSQL commits
 * those that notify one after the other.
 */
const notifyEveryMs = 100
const notifyAgainMs = 1_000
/** How often it is checked that what is sent is received: a connection without traffic may have been lost long ago. */
const checkEveryMs = 60_000
const heardWithinMs = 5_000
const againMs = { least: 250, most: 5_000 }
/** A connection that does not carry notifications, such as one through a pooler of transactions, will not do so soon. */
const unheardAgainMs = 60_000

/** Changes of this process, and of all others that listen on the same database. */
export type Signals = Wakes & {
  /** Reports that this process has changed something. */
  changed(): void
  /** Something happened that may create work for this process only. */
  wakeHere(): void
  /** Receives what other processes change, from now on until it is stopped. */
  listen(log: Log): Listening
  /** Notifies the others of changes that they do not know of yet. */
  flush(): Promise<void>
}

export type Listening = {
  /** Called whenever the connection is lost. */
  onLost(listener: () => void): void
  /**
   * Holds an advisory lock as long as the session that listens exists; false if there is none, or another one has the
   * lock.
   */
  holdLock(key: readonly [number, number]): Promise<boolean>
  releaseLock(key: readonly [number, number]): Promise<void>
  stop(): Promise<void>
}

class Unheard extends Error {}

/**
 * Payloads are the names of their senders: they wake, and carry nothing else. Anyone who may connect to the database
 * can send them too, which makes the servers look for work, at most as often as they do under load.
 */
export function openSignals(target: Target, send: (payload: string) => Promise<unknown>): Signals {
  const self = randomBytes(8).toString('hex')
  const here = openWakes()
  let connection: Connection | null = null
  let isHearing = false
  let isPending = false
  let notifying: Promise<void> | null = null
  let pause: NodeJS.Timeout | undefined
  let heard = ((_payload: string): void => {}) as (payload: string) => void

  const notify = (payload: string): Promise<unknown> =>
    connection && isHearing ? connection.runText(textOf(payload)) : send(payload)

  const notifyOthers = async (): Promise<void> => {
    isPending = false
    // If the database is unavailable, the others are disconnected too, and check everything when it is back.
    const isNotified = await notify(self).then(
      () => true,
      () => false,
    )
    isPending ||= !isNotified
    notifying = null
    pause = setTimeout(
      () => {
        pause = undefined
        if (isPending) notifying ??= notifyOthers()
      },
      isNotified ? notifyEveryMs : notifyAgainMs,
    ).unref()
  }

  const hear = (payload: string): void => {
    // With a space: sent as a check, to be received by the sender.
    if (payload.includes(' ')) heard(payload)
    else if (payload !== self) here.wake()
  }

  const become = (next: boolean): void => {
    if (next === isHearing) return
    isHearing = next
    // What was changed while nobody listened is found by checking.
    here.wake()
  }

  function listen(log: Log): Listening {
    let isStopped = false
    let wakeUp = (): void => {}
    let hasWarned = false
    const whenLost = new Set<() => void>()

    const rest = async (ms: number): Promise<void> => {
      if (isStopped) return
      let timer: NodeJS.Timeout | undefined
      await new Promise<void>((resolve) => {
        wakeUp = resolve
        timer = setTimeout(resolve, ms).unref()
      })
      clearTimeout(timer)
    }
    const check = async (by: Connection): Promise<void> => {
      const sent = `${self} ${randomBytes(4).toString('hex')}`
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      heard = (payload) => {
        if (payload === sent) resolve()
      }
      const timer = setTimeout(() => reject(new Unheard('what was sent was not heard')), heardWithinMs)
      try {
        await by.runText(textOf(sent))
        await promise
      } finally {
        clearTimeout(timer)
      }
    }
    const session = async (): Promise<void> => {
      const one = new Connection(target, () => wakeUp())
      try {
        await one.listen(channel, hear)
        while (!isStopped && !one.isLost) {
          await check(one)
          connection = one
          become(true)
          hasWarned = false
          if (!one.isLost) await rest(checkEveryMs)
        }
      } finally {
        const hadIt = connection === one
        if (hadIt) connection = null
        one.destroy()
        if (!isStopped) become(false)
        if (hadIt && !isStopped) for (const lost of whenLost) lost()
      }
    }
    const run = async (): Promise<void> => {
      for (let pauseMs = againMs.least; !isStopped; ) {
        const begun = performance.now()
        const error = await session().then(
          () => null,
          (reason: unknown) => reason,
        )
        if (isStopped) return
        if (error instanceof Unheard) {
          if (!hasWarned)
            log.warn('the connection to the database carries no notifications: the server looks for work regularly')
          hasWarned = true
          await rest(unheardAgainMs)
          continue
        }
        pauseMs = performance.now() - begun > againMs.most ? againMs.least : Math.min(pauseMs * 2, againMs.most)
        await rest(pauseMs)
      }
    }
    const running = run()
    return {
      onLost: (lost) => void whenLost.add(lost),
      async holdLock([group, key]) {
        if (!connection) return false
        const [row] = await connection.runText(`select pg_try_advisory_lock(${group}, ${key}) as held`)
        return row?.held === true
      },
      async releaseLock([group, key]) {
        await connection?.runText(`select pg_advisory_unlock(${group}, ${key})`)
      },
      async stop() {
        isStopped = true
        wakeUp()
        connection?.destroy()
        await running
      },
    }
  }

  return {
    get count() {
      return here.count
    },
    get isHearing() {
      return isHearing
    },
    onWake: here.onWake,
    wakeHere: here.wake,
    changed() {
      here.wake()
      isPending = true
      if (pause === undefined) notifying ??= notifyOthers()
    },
    listen,
    async flush() {
      clearTimeout(pause)
      await notifying
      clearTimeout(pause)
      pause = undefined
      if (isPending) await notifyOthers()
      clearTimeout(pause)
    },
  }
}

// Of names that were created here: nothing to escape.
const textOf = (payload: string): string => `select pg_notify('${channel}', '${payload}')`
