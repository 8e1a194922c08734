import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  afterConfirm,
  afterEnd,
  afterOffer,
  graceMs,
  offerAfterMs,
  offersMax,
  rotateAfterMs,
  standingOf,
} from '#rooms/identity/sessions/decide.ts'
import type { CookieNumber, KeptSession } from '#rooms/identity/sessions/session.ts'
import { fewOrMany } from '../fixture/long.ts'

/** A session as the server keeps it, and what it answers; with a clock of its own. */
class Server {
  now = 1_700_000_000_000
  /** Ends for a reason, each with an event. */
  events: string[] = []
  session: KeptSession
  constructor() {
    const at = new Date(this.now)
    this.session = {
      id: 's',
      userId: 'u',
      method: 'link',
      sourceAddress: '',
      userAgent: '',
      createdAt: at,
      rotatedAt: at,
      lastSeenAt: at,
      expiresAt: new Date(this.now + 1e12),
      idleSeconds: 1e9,
      freshSeconds: 900,
      generation: 1,
      branch: 1,
      previousBranch: 0,
      previousUntil: null,
      offers: 0,
      offeredAt: null,
      endedAt: null,
      endedWhy: null,
    }
  }
  /** The cookie of the reply, or null for none; 'refused' for 401. */
  ask(cookie: CookieNumber): CookieNumber | null | 'refused' {
    const at = new Date(this.now)
    const standing = standingOf(this.session, cookie, at)
    switch (standing) {
      case 'good':
      case 'lingers':
        return null
      case 'confirms':
        this.session = afterConfirm(this.session, cookie, at)
        return null
      case 'offers':
        this.session = afterOffer(this.session, at)
        return { generation: this.session.generation + 1, branch: this.session.offers }
      case 'ended':
        return 'refused'
      case 'COOKIE_REUSED':
      case 'COOKIE_NOT_REPLACED':
      case 'RECORD_SET_BACK':
      case 'ENDED_BY_ADMINISTRATOR':
        this.session = afterEnd(this.session, standing, at)
        this.events.push(standing)
        return 'refused'
    }
  }
}

const first: CookieNumber = { generation: 1, branch: 1 }

test('an owner alone is never thrown out: whatever pauses they make, and though some replies are lost', () => {
  const steps = fc.array(
    fc.record({
      pauseMs: fc.oneof(fc.integer({ min: 0, max: 5000 }), fc.integer({ min: 0, max: 4 * rotateAfterMs })),
      isLost: fc.boolean(),
      // Requests that leave together carry the same cookie, and their replies come in any order.
      together: fc.integer({ min: 1, max: 4 }),
      last: fc.nat(),
    }),
    { maxLength: 80 },
  )
  fc.assert(
    fc.property(steps, (all) => {
      const server = new Server()
      let cookie = first
      let lost = 0
      for (const { pauseMs, isLost, together, last } of all) {
        server.now += pauseMs
        const replies = Array.from({ length: together }, () => server.ask(cookie))
        expect(replies).not.toContain('refused')
        const given = replies.filter((reply): reply is CookieNumber => reply !== null && reply !== 'refused')
        // More than a few in a row are not lost.
        if (isLost && given.length > 0 && lost < offersMax - 1) {
          lost++
          continue
        }
        if (given.length > 0) {
          lost = 0
          cookie = given[last % given.length] as CookieNumber
        }
      }
      expect(server.events).toEqual([])
    }),
    { numRuns: fewOrMany(300, 10_000) },
  )
})

const gapMsMax = 30_000
// The thief may take every offer and keep quiet; that cannot go on for more than so many.
const besideMsMax = rotateAfterMs + offersMax * (offerAfterMs + gapMsMax) + graceMs + 2 * gapMsMax

test('an owner and an attacker who both keep using a session are never both admitted for long, and its end is one event', () => {
  const thiefs = fc.array(
    fc.record({
      gapMs: fc.integer({ min: 500, max: gapMsMax }),
      takes: fc.boolean(),
      /** Which of all the cookies they ever got they use: the newest, mostly. */
      age: fc.oneof(fc.constant(0), fc.constant(0), fc.nat({ max: 3 })),
    }),
    { minLength: 1, maxLength: 12 },
  )
  const owners = fc.array(fc.integer({ min: 500, max: gapMsMax }), { minLength: 1, maxLength: 12 })
  const stolenAfter = fc.integer({ min: 0, max: 2 * rotateAfterMs })
  fc.assert(
    fc.property(thiefs, owners, stolenAfter, (thief, owner, stolenAfterMs) => {
      const server = new Server()
      let ownersCookie = first
      const askAsOwner = (): boolean => {
        const reply = server.ask(ownersCookie)
        if (reply === 'refused') return false
        if (reply) ownersCookie = reply
        return true
      }
      let turn = 0
      const begun = server.now
      for (; server.now < begun + stolenAfterMs; turn++) {
        server.now += owner[turn % owner.length] as number
        if (!askAsOwner()) throw new Error('thrown out without a thief')
      }
      const stolenAt = server.now
      const thiefsCookies = [ownersCookie]
      let ownersNext = stolenAt
      let thiefsNext = stolenAt
      let thiefTurn = 0
      let lastBoth = stolenAt
      let ownerIn = stolenAt
      let thiefIn = stolenAt
      while (!server.session.endedAt) {
        server.now = Math.min(ownersNext, thiefsNext)
        // Whatever they do, it is over before this.
        if (server.now - stolenAt > besideMsMax) throw new Error('both go on')
        if (ownersNext <= thiefsNext) {
          if (askAsOwner()) ownerIn = server.now
          ownersNext += owner[turn++ % owner.length] as number
        } else {
          const { gapMs, takes, age } = thief[thiefTurn++ % thief.length] as (typeof thief)[number]
          const reply = server.ask(thiefsCookies[Math.max(0, thiefsCookies.length - 1 - age)] as CookieNumber)
          if (reply !== 'refused') thiefIn = server.now
          if (takes && reply !== null && reply !== 'refused') thiefsCookies.push(reply)
          thiefsNext += gapMs
        }
        lastBoth = Math.min(ownerIn, thiefIn)
      }
      expect(lastBoth - stolenAt).toBeLessThanOrEqual(besideMsMax)
      expect(server.events).toHaveLength(1)
      expect(server.ask(ownersCookie)).toBe('refused')
      for (const cookie of thiefsCookies) expect(server.ask(cookie)).toBe('refused')
      expect(server.events).toHaveLength(1)
    }),
    { numRuns: fewOrMany(200, 5000) },
  )
})
