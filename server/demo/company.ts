import type { NewOwner } from '#rooms/foundation/ownership/index.ts'
import type { NewUser } from '#rooms/identity/users/index.ts'
import type { NewAccount } from '#rooms/records/accounts/index.ts'
import type { NewApp, NewEntitlement, NewResource, NewResourceType } from '#rooms/records/apps/index.ts'
import type { NewGrant } from '#rooms/records/grants/index.ts'
import { apps, oddities, serviceUsers } from './catalogue.ts'
import { type Dice, diceOf } from './dice.ts'
import { countryOf } from './organisation.ts'
import { domain, hirePeople, type Person } from './people.ts'
import type { AppPlan, Match, OtherAccount, Some } from './plan.ts'

export type Company = {
  users: NewUser[]
  apps: NewApp[]
  resourceTypes: NewResourceType[]
  resources: NewResource[]
  entitlements: NewEntitlement[]
  accounts: NewAccount[]
  grants: NewGrant[]
  owners: NewOwner[]
}

/** The source of grants that came with the company. */
export const demoImport = 'larkfield:import:demo'

const dayMs = 86_400_000
const recordedDays = 730
// Long enough ago that nobody remembers what the account was for.
const strangersUntilDays = 200

/**
 * Larkfield Instruments: a fictional maker of measuring instruments. It is the same company every time, down to who left
 * and kept which key; only its ids and dates depend on `newId` and `now`.
 */
export function foundLarkfield(now: Date, newId: () => string): Company {
  const people = hirePeople(now, newId)
  const services: Service[] = serviceUsers.map(({ key, displayName, ownedBy }) => ({
    id: newId(),
    key,
    displayName,
    owner: people.find(ownedBy) as Person,
  }))
  const company: Company = {
    users: [...people.map(userOf), ...services.map(serviceUserOf)],
    apps: [],
    resourceTypes: [],
    resources: [],
    entitlements: [],
    accounts: [],
    grants: [],
    owners: [],
  }
  const givers = people.filter(({ jobTitle }) => /^(Director of IT|Systems Administration Manager)$/.test(jobTitle))
  for (const plan of apps) {
    const rollout: Rollout = { company, plan, now, newId, people, services, givers, dice: diceOf(plan.key) }
    const installed = installApp(rollout)
    for (const [person, held] of holdingsOf(rollout)) openAccount(rollout, installed, person, held)
    for (const other of plan.others) openOtherAccount(rollout, installed, other)
    nameOwners(rollout, installed)
  }
  return company
}

type Service = { id: string; key: string; displayName: string; owner: Person }
type Rollout = {
  company: Company
  plan: AppPlan
  now: Date
  newId: () => string
  people: readonly Person[]
  services: readonly Service[]
  /** The people who grant access manually. */
  givers: readonly Person[]
  dice: Dice
}

const daysFrom = (instant: Date, days: number): Date => new Date(instant.getTime() + days * dayMs)
const dateOf = (instant: Date): string => instant.toISOString().slice(0, 10)

const userOf = (person: Person): NewUser => ({
  id: person.id,
  externalId: `larkfield:user:${person.key}`,
  type: 'USER_TYPE_HUMAN',
  origin: 'USER_ORIGIN_DIRECTORY',
  status: person.leftAt ? 'DISABLED' : 'ENABLED',
  displayName: person.displayName,
  email: person.email,
  username: person.key,
  employeeId: person.employeeId,
  department: person.department,
  jobTitle: person.jobTitle,
  employmentType: person.employmentType,
  employmentStatus: person.employmentStatus,
  ...(person.manager && { managerId: person.manager.id }),
  profile: {
    location: person.site,
    country: countryOf[person.site],
    costCentre: person.costCentre,
    startDate: dateOf(person.startedAt),
    ...(person.team && { team: person.team }),
    ...(person.leftAt && { endDate: dateOf(person.leftAt) }),
    ...(person.formerDepartment && { formerDepartment: person.formerDepartment }),
  },
})

const serviceUserOf = ({ id, key, displayName, owner }: Service): NewUser => ({
  id,
  externalId: `larkfield:user:${key}`,
  type: 'USER_TYPE_SERVICE',
  origin: 'USER_ORIGIN_DIRECTORY',
  displayName,
  email: `${key}@${domain}`,
  username: key,
  managerId: owner.id,
})

/** `entitlementIds` by their path in the plan: `repository:firmware-core:write`. */
type Installed = { appId: string; externalId: string; entitlementIds: ReadonlyMap<string, string> }

function installApp({ company, plan, newId }: Rollout): Installed {
  const appId = newId()
  const externalId = `larkfield:app:${plan.key}`
  const entitlementIds = new Map<string, string>()
  company.apps.push({ id: appId, externalId, displayName: plan.name, description: plan.description })
  for (const type of plan.types) {
    const typeId = newId()
    company.resourceTypes.push({ id: typeId, appId, externalId: `${externalId}:${type.key}`, displayName: type.name })
    for (const { key, name, description = '' } of type.resources) {
      const resource = { typeId, id: newId() }
      company.resources.push({
        id: resource.id,
        appId,
        resourceTypeId: typeId,
        externalId: `${externalId}:${type.key}:${key}`,
        displayName: name,
        description,
      })
      for (const level of type.levels) {
        const path = `${type.key}:${key}:${level.slug}`
        const id = newId()
        entitlementIds.set(path, id)
        company.entitlements.push({
          id,
          appId,
          externalId: `${externalId}:${path}`,
          resource,
          displayName: `${name} ${level.name}`,
          description,
          slug: level.slug,
          purpose: level.purpose,
        })
      }
    }
  }
  return { appId, externalId, entitlementIds }
}

/** What a person holds in an app, by path, and the source of each grant. */
type Held = Map<string, 'import' | 'manual'>

function holdingsOf({ plan, people, dice }: Rollout): Map<Person, Held> {
  const holdings = new Map(people.map((person) => [person, new Map() as Held]))
  for (const type of plan.types) {
    for (const resource of type.resources) {
      for (const { slug } of type.levels) {
        for (const person of holdersAmong(people, resource.holders[slug], dice)) {
          holdings.get(person)?.set(`${type.key}:${resource.key}:${slug}`, dice.chance(0.1) ? 'manual' : 'import')
        }
      }
    }
  }
  for (const { who, app, holds } of oddities) {
    const person = people.find((each) => each.leftAt === null && who(each)) as Person
    if (app === plan.key) for (const path of holds) holdings.get(person)?.set(path, 'manual')
  }
  return holdings
}

function holdersAmong(people: readonly Person[], holders: Match | Some | undefined, dice: Dice): Person[] {
  if (!holders) return []
  const { of, share } = typeof holders === 'function' ? { of: holders, share: 1 } : holders
  return people.filter(of).filter(() => share === 1 || dice.chance(share))
}

function openAccount(
  { company, now, newId, givers, dice }: Rollout,
  { appId, externalId, entitlementIds }: Installed,
  person: Person,
  held: Held,
): void {
  if (held.size === 0) return
  const accountId = newId()
  const isOpen = person.leftAt === null || (!person.wasOffboarded && dice.chance(0.6))
  company.accounts.push({
    id: accountId,
    appId,
    externalId: `${externalId}:account:${person.key}`,
    userId: person.id,
    status: isOpen ? 'STATUS_ENABLED' : 'STATUS_DISABLED',
    displayName: person.displayName,
    email: person.email,
    username: person.key,
    employeeId: person.employeeId,
  })
  if (!isOpen) return
  const recordedFrom = daysFrom(now, -recordedDays)
  const from = person.startedAt > recordedFrom ? person.startedAt : recordedFrom
  for (const [path, source] of held) {
    const grantedAt = dice.instant(from, person.leftAt ?? now)
    company.grants.push({
      id: newId(),
      appId,
      entitlementId: entitlementIds.get(path) as string,
      accountId,
      source,
      grantedBy: source === 'manual' ? dice.pick(givers.filter((giver) => giver !== person)).id : demoImport,
      grantedAt,
      beganAt: grantedAt,
      ...(person.employmentType === 'contractor' &&
        dice.chance(0.3) && { expiresAt: daysFrom(now, 10 + dice.below(170)) }),
    })
  }
}

function openOtherAccount(
  { company, now, newId, services, dice }: Rollout,
  { appId, externalId, entitlementIds }: Installed,
  other: OtherAccount,
): void {
  const accountId = newId()
  const service = services.find(({ key }) => key === other.key)
  company.accounts.push({
    id: accountId,
    appId,
    externalId: `${externalId}:account:${other.key}`,
    ...(service && { userId: service.id }),
    type: other.type ?? 'APP_USER_TYPE_USER',
    displayName: other.name,
    email: other.email,
    username: other.key,
  })
  if (service)
    company.owners.push({
      id: newId(),
      object: { kind: 'account', appId, typeId: '', id: accountId },
      roleSlug: 'primary',
      userId: service.owner.id,
    })
  for (const path of other.holds) {
    const grantedAt = dice.instant(daysFrom(now, -recordedDays), daysFrom(now, -strangersUntilDays))
    company.grants.push({
      id: newId(),
      appId,
      entitlementId: entitlementIds.get(path) as string,
      accountId,
      source: 'import',
      grantedBy: demoImport,
      grantedAt,
      beganAt: grantedAt,
    })
  }
}

/** An app is owned by someone of IT; and in the role `technical` by a person who holds one of its ownerships. */
function nameOwners({ company, newId, givers, dice }: Rollout, { appId }: Installed): void {
  const object = { kind: 'app' as const, appId, typeId: '', id: appId }
  company.owners.push({ id: newId(), object, roleSlug: 'primary', userId: dice.pick(givers).id })
  const ownerships = company.entitlements.filter(
    (each) => each.appId === appId && each.purpose === 'APP_ENTITLEMENT_PURPOSE_VALUE_OWNERSHIP',
  )
  for (const { id } of ownerships.slice(0, 1))
    company.owners.push({ id: newId(), object, roleSlug: 'technical', entitlement: { appId, id } })
}
