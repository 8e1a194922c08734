import type { Tx } from '#kernel/sql.ts'
import {
  type ApprovalStep,
  defaultPolicyIds,
  type PossibleList,
  possibleLists,
} from '#rooms/governance/policies/index.ts'
import { findTerms, type Terms } from '#rooms/governance/terms/index.ts'
import { findApprovers } from '../../facts/approvers.ts'
import { carryingBy } from '../../facts/carriers.ts'
import type { Facts, TenantWorld } from '../../facts/facts.ts'
import { isForWebhook } from '../../facts/find.ts'
import { emptyState } from '../../machine/fold.ts'
import { newTask, type Task } from '../../machine/record.ts'
import { insteadOf, type Problem, reasonOf, whyNobody } from './decide.ts'
import { type Found, listSomePeople } from './store.ts'

type Nobody = Pick<Problem, 'reason' | 'why' | 'instead' | 'people'>
const type = 'POLICY_TYPE_GRANT'
const triedPeople = 3

/** Checks what applies to some entitlements. Facts about a policy or an owner are read once. */
export class Checker {
  readonly #facts: Facts
  readonly #lists = new Map<string, Promise<PossibleList[] | null>>()
  readonly #steps = new Map<string, Promise<Nobody | null>>()
  readonly #unmanaged: (tx: Tx) => Promise<number>
  #people: Promise<string[]> | null = null

  /** `unmanaged`: how many people have no manager who could decide. */
  constructor(facts: Facts, unmanaged: (tx: Tx) => Promise<number>) {
    this.#facts = facts
    this.#unmanaged = unmanaged
  }

  /** What is wrong with an entitlement; null if a request of it is decided by people whom its policy names. */
  async look(ref: { appId: string; entitlementId: string }): Promise<Found | null> {
    const terms = await findTerms(this.#facts.tx, this.#facts.world, ref)
    if (terms === null) return null
    if ('refusal' in terms)
      return { ...ref, problems: [whole('', 'UNANSWERABLE_REASON_ROUTING_FAILED', terms.refusal.message, false)] }
    const problems = await this.#ofPolicy(terms, terms.grantPolicyId || defaultPolicyIds[type], false)
    if (terms.isEmergencyEnabled) problems.push(...(await this.#ofPolicy(terms, terms.emergencyPolicyId, true)))
    return problems.length === 0 ? null : { ...ref, problems }
  }

  async #ofPolicy(terms: Terms, id: string, isEmergency: boolean): Promise<Problem[]> {
    const known = this.#lists.get(id) ?? possibleLists(this.#facts.tx, this.#facts.tenantId, { id, type })
    this.#lists.set(id, known)
    const lists = await known
    if (lists === null)
      return [whole(id, 'UNANSWERABLE_REASON_POLICY_MISSING', 'The policy does not exist.', isEmergency)]
    const problems: Problem[] = []
    for (const { policyId, policyName, key, when, steps } of lists)
      for (const [place, step] of steps.entries()) {
        const manual = step.kind === 'provision' ? (step.provision ?? terms.provisioner)?.manual : null
        const asked = step.kind === 'approval' ? step : manual ? carryingBy(manual) : null
        const nobody = asked && (await this.#nobodyIn(terms, asked))
        if (nobody)
          problems.push({ policyId, policyName, stepKey: key, place: place + 1, when, isEmergency, ...nobody })
      }
    return problems
  }

  #nobodyIn(terms: Terms, step: ApprovalStep): Promise<Nobody | null> {
    const key = `${scopeOf(terms, step)} ${JSON.stringify(step)}`
    const known = this.#steps.get(key) ?? this.#find(terms, step)
    this.#steps.set(key, known)
    return known
  }

  async #find(terms: Terms, step: ApprovalStep): Promise<Nobody | null> {
    const { by } = step.approvers
    if (by === 'manager') return this.#unmanagedIn(terms, step)
    if (await isForWebhook(this.#facts, { kind: 'grant' }, step)) return null
    if (by !== 'expression' && by !== 'self') return this.#ask(terms, step, '')
    // The people depend on the requester: it is tried for a few, and is a problem if it fails for all of them.
    this.#people ??= listSomePeople(this.#facts.tx, this.#facts.tenantId, triedPeople)
    let last: Nobody | null = null
    for (const userId of await this.#people) {
      last = await this.#ask(terms, step, userId)
      if (last === null) return null
    }
    return last
  }

  async #ask(terms: Terms, step: ApprovalStep, userId: string): Promise<Nobody | null> {
    const task = taskAbout(this.#facts.world, terms, userId)
    const { tried, assignees } = await findApprovers(this.#facts, { task, state: emptyState }, step)
    const [first] = tried
    if (!first) return null
    return { reason: reasonOf(first), why: whyNobody(first), instead: insteadOf(assignees[0]?.why), people: 0 }
  }

  async #unmanagedIn(terms: Terms, step: ApprovalStep): Promise<Nobody | null> {
    const people = await this.#unmanaged(this.#facts.tx)
    if (people === 0) return null
    const none = { ...step, approvers: { by: 'users', userIds: [] } } as const
    const asked = await this.#ask(terms, none, '')
    const why = `${people} ${people === 1 ? 'person has' : 'people have'} no manager who can decide.`
    const instead = asked?.instead ?? 'UNANSWERABLE_INSTEAD_STUCK'
    return { reason: 'UNANSWERABLE_REASON_MANAGER_MISSING', why, instead, people }
  }
}

const whole = (policyId: string, reason: Problem['reason'], why: string, isEmergency: boolean): Problem => ({
  policyId,
  policyName: '',
  stepKey: '',
  place: 0,
  when: [],
  isEmergency,
  reason,
  why,
  people: 0,
  instead: 'UNANSWERABLE_INSTEAD_REFUSED',
})

/** What the people of a step depend on, in addition to the step. */
function scopeOf({ appId, entitlementId, resourceId }: Terms, { approvers: { by } }: ApprovalStep): string {
  if (by === 'appOwners') return appId
  if (by === 'entitlementOwners' || by === 'expression') return `${appId}/${entitlementId}`
  return by === 'resourceOwners' ? `${appId}//${resourceId}` : ''
}

/** A hypothetical request. */
const taskAbout = (world: TenantWorld, terms: Terms, userId: string): Task =>
  newTask(world, {
    number: 0,
    durationSeconds: null,
    isEmergency: false,
    about: {
      kind: 'grant',
      origin: 'TASK_ORIGIN_API',
      subjectUserId: userId,
      createdBy: userId,
      accountId: '',
      appId: terms.appId,
      entitlementId: terms.entitlementId,
      parentId: '',
      source: {},
      resourceTypeId: terms.resourceTypeId,
      resourceId: terms.resourceId,
      displayName: terms.entitlementName,
      description: '',
    },
  })
