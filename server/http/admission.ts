import type { FastifyRequest } from 'fastify'
import type { Door } from '#kernel/doors.ts'
import { hostOf } from '#kernel/hosts.ts'
import { Refusal } from '#kernel/refusals.ts'
import { type Actor, anyone, authenticated, type Route, signedIn, type Tenancy } from '#kernel/routes.ts'
import { askedBy } from './asked.ts'
import { knockOf } from './doors.ts'
import { databaseAway, forbidden, freshSignInRequired, sessionRequired } from './errors.ts'
import { whilePresent } from './guards/present.ts'
import type { Shares } from './guards/shares.ts'
import { callerOf } from './mount.ts'
import { refuseForeignPages } from './pages/own-pages.ts'
import { asksWhatIsHere } from './pages/root.ts'
import type { ServerParts } from './parts.ts'
import { admitToService } from './rpc.ts'

type Parts = ServerParts & { shares: Shares; whyUnrouted: (method: string, url: string) => Refusal }

/** Admits requests, or refuses them: before their bodies are read. */
export function openAdmission(parts: Parts): (request: FastifyRequest, done: (error?: Error) => void) => void {
  const { shares, whyUnrouted } = parts

  /** Finds the tenant and the caller, and refuses callers who may not call. Synchronous if nothing has to be read for it. */
  function admit(request: FastifyRequest): void | Promise<void> {
    if (!parts.presence.isHere) throw databaseAway()
    const tenant = parts.tenantOf(hostOf(request.headers))
    return tenant instanceof Promise
      ? whilePresent(parts.presence, () => tenant).then((found) => admitTo(found, request))
      : admitTo(tenant, request)
  }

  function admitTo(tenant: Tenancy | null, request: FastifyRequest): void | Promise<void> {
    request.tenant = tenant
    if (!tenant) throw new Refusal('TENANT_NOT_FOUND', 'No tenant is served at this host.')
    // Before the body is read: bodies without a route, or from strangers, are not worth reading.
    if (request.is404) {
      if (parts.console?.takes(request) || asksWhatIsHere(request)) return
      throw whyUnrouted(request.method, request.url)
    }
    const { door, rpc } = request.routeOptions.config
    if (door) return admitAtDoor(request, door)
    if (rpc) return whilePresent(parts.presence, () => admitToService(request, rpc.service))
    const { allow = anyone, ownPages = false, needsFresh = false, admits } = request.routeOptions.config.route ?? {}
    if (ownPages) refuseForeignPages(request)
    if (allow !== anyone) return admitCaller(request, allow, needsFresh)
    if (admits) return admitBySecret(request, tenant, admits)
  }

  /** Admits callers who have the secret in the address, such as a receiver of a webhook. */
  async function admitBySecret(
    request: FastifyRequest,
    tenant: Tenancy,
    admits: NonNullable<Route['admits']>,
  ): Promise<void> {
    const leave = await shares.enter(tenant.id, callerOf(request))
    const path = request.params as Record<string, string>
    await whilePresent(parts.presence, () => admits({ ...parts.world, tenant }, path)).finally(leave)
  }

  async function admitAtDoor(request: FastifyRequest, door: Door): Promise<void> {
    const actor = door.authenticate(parts.world, knockOf(door, request))
    request.actor = actor instanceof Promise ? await whilePresent(parts.presence, () => actor) : actor
  }

  async function admitCaller(request: FastifyRequest, allow: string, needsFresh: boolean): Promise<void> {
    const actor = parts.authenticate(askedBy(request))
    request.actor = actor instanceof Promise ? await whilePresent(parts.presence, () => actor) : actor
    if (allow === signedIn && request.actor.sessionId === '') throw sessionRequired()
    if (allow !== authenticated && allow !== signedIn) await admitByPermission(request)
    if (needsFresh) refuseStale(request.actor, parts.world.now())
  }

  /** What the request is about is looked up only if it matters whether the caller owns it: for most requests it does not. */
  async function admitByPermission(request: FastifyRequest): Promise<void> {
    const { actor, tenant } = request
    const { route } = request.routeOptions.config
    if (!tenant || !route) throw new Error('a request of no tenant or route')
    const { asCaller, asOwner } = parts.standingTo(actor, route)
    if (!asOwner && !asCaller) throw forbidden(route.allow)
    if (!asOwner) return
    const path = request.params as Record<string, string>
    const leave = await shares.enter(tenant.id, callerOf(request))
    const owner = await whilePresent(parts.presence, () => parts.asOwner(tenant, actor, route, path)).finally(leave)
    if (!(owner instanceof Refusal)) request.actor = owner
    // Others are admitted too, and see only what belongs to them.
    else if (!asCaller) throw owner
  }

  return (request, done) => {
    let admitted: void | Promise<void>
    try {
      admitted = admit(request)
    } catch (error) {
      return done(error as Error)
    }
    if (admitted) admitted.then(() => done(), done)
    else done()
  }
}

/** In the console, granting lasting rights requires a recent sign-in. */
function refuseStale({ sessionId, freshUntil }: Actor, now: Date): void {
  if (sessionId !== '' && !(freshUntil && now < freshUntil)) throw freshSignInRequired()
}
