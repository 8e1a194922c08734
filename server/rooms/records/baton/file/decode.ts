import { type DescMessage, fromBinary, type MessageShape } from '@bufbuild/protobuf'
import { BinaryReader, WireType } from '@bufbuild/protobuf/wire'
import {
  AppTraitSchema,
  Entitlement_Purpose,
  EntitlementSchema,
  GroupTraitSchema,
  type Resource,
  ResourceSchema,
  ResourceType_Trait,
  ResourceTypeSchema,
  RoleTraitSchema,
  Status_Value,
  type UserTrait,
  UserTrait_AccountType,
  UserTraitSchema,
} from '../protocol/generated/c1/connector/v2/records_pb.js'
import type { FileRecord } from './records.ts'
import { FileRefused } from './refused.ts'

const decoded = <D extends DescMessage>(schema: D, data: Uint8Array): MessageShape<D> => fromBinary(schema, data)

const prefix = 'type.googleapis.com/c1.connector.v2.'
/** The annotation of that kind, if there is one. */
function annotation<D extends DescMessage>({ annotations }: Resource, schema: D): MessageShape<D> | null {
  const typeUrl = `${prefix}${schema.name}`
  const found = annotations.find((each) => each.typeUrl === typeUrl)
  return found ? decoded(schema, found.value) : null
}

export function decodeResourceType(data: Uint8Array): { displayName: string; isUser: boolean; isOnlyUser: boolean } {
  const { displayName, traits } = decoded(ResourceTypeSchema, data)
  const isUser = traits.includes(ResourceType_Trait.USER)
  return { displayName, isUser, isOnlyUser: isUser && traits.every((trait) => trait === ResourceType_Trait.USER) }
}

export type DecodedResource = {
  displayName: string
  description: string
  profile: object | null
  user: UserTrait | null
  isDisabled: boolean
}

export function decodeResource(data: Uint8Array): DecodedResource {
  const resource = decoded(ResourceSchema, data)
  const { displayName, description, status } = resource
  const user = annotation(resource, UserTraitSchema)
  // Connectors of 2026 state these on the resource itself; older ones in a trait.
  const profile =
    resource.profile ??
    user?.profile ??
    annotation(resource, GroupTraitSchema)?.profile ??
    annotation(resource, RoleTraitSchema)?.profile ??
    annotation(resource, AppTraitSchema)?.profile ??
    null
  const value = status?.status || user?.status?.status || Status_Value.UNSPECIFIED
  const isDisabled = value === Status_Value.DISABLED || value === Status_Value.DELETED
  return { displayName, description, profile, user, isDisabled }
}

const accountTypes: Partial<Record<UserTrait_AccountType, 'service' | 'system'>> = {
  [UserTrait_AccountType.SERVICE]: 'service',
  [UserTrait_AccountType.SYSTEM]: 'system',
}

export function accountOf(
  { displayName, profile, user, isDisabled }: DecodedResource,
  { typeId, id }: { typeId: string; id: string },
): Extract<FileRecord, { is: 'account' }> {
  const emails = (user?.emails ?? []).toSorted((a, b) => Number(b.isPrimary) - Number(a.isPrimary))
  return {
    is: 'account',
    typeId,
    id,
    displayName,
    emails: emails.map(({ address }) => address),
    usernames: user ? [user.login, ...user.loginAliases] : [],
    employeeIds: user?.employeeIds ?? [],
    profile,
    type: accountTypes[user?.accountType ?? UserTrait_AccountType.UNSPECIFIED] ?? 'user',
    isEnabled: !isDisabled,
  }
}

const purposes: Partial<Record<Entitlement_Purpose, 'permission' | 'ownership'>> = {
  [Entitlement_Purpose.PERMISSION]: 'permission',
  [Entitlement_Purpose.OWNERSHIP]: 'ownership',
}

export function decodeEntitlement(data: Uint8Array) {
  const { displayName, description, slug, purpose } = decoded(EntitlementSchema, data)
  return { displayName, description, slug, purpose: purposes[purpose] ?? ('assignment' as const) }
}

const grantAnnotations = 4
const grantSources = 5
const mapOfSources = 1
const mapKey = 1
const anyTypeUrl = 1
const none: readonly string[] = []

export type DecodedGrant = {
  /** The entitlements through which it is held; its own among them if it is held directly too. */
  sources: readonly string[]
  /** As they are in the message. */
  annotations: readonly Uint8Array[]
  isImmutable: boolean
  /** Whether an annotation has what revoking may need. */
  hasMetadata: boolean
}
export const bareGrant: DecodedGrant = { sources: none, annotations: [], isImmutable: false, hasMetadata: false }

/**
 * Annotations that say how a grant came about, or what it was called in another system: nothing that is needed to revoke it.
 */
const descriptive = new Set(['GrantImmutable', 'GrantExpandable', 'V1Identifier'].map((name) => `${prefix}${name}`))

/**
 * The parts of a grant that columns do not have. Decoded without the generated decoder: there are ten times as many grants
 * as anything else, most have neither sources nor annotations, and everything else in the message is in columns too.
 */
export function decodeGrant(data: Uint8Array): DecodedGrant {
  const grant = new BinaryReader(data)
  let sources: string[] | null = null
  let annotations: Uint8Array[] | null = null
  let isImmutable = false
  let hasMetadata = false
  while (grant.pos < grant.len) {
    const [field, type] = grant.tag()
    if (type !== WireType.LengthDelimited || (field !== grantSources && field !== grantAnnotations)) {
      grant.skip(type, field)
      continue
    }
    const bytes = grant.bytes()
    if (field === grantAnnotations) {
      const typeUrl = textIn(bytes, anyTypeUrl)
      isImmutable ||= typeUrl === `${prefix}GrantImmutable`
      hasMetadata ||= !descriptive.has(typeUrl)
      ;(annotations ??= []).push(bytes)
      continue
    }
    const map = new BinaryReader(bytes)
    while (map.pos < map.len) {
      const [entryField, entryType] = map.tag()
      if (entryField !== mapOfSources || entryType !== WireType.LengthDelimited) map.skip(entryType, entryField)
      else (sources ??= []).push(textIn(map.bytes(), mapKey))
    }
  }
  return { sources: sources ?? none, annotations: annotations ?? [], isImmutable, hasMetadata }
}

/** The text of a field of a message; empty where it has none. */
function textIn(bytes: Uint8Array, wanted: number): string {
  const message = new BinaryReader(bytes)
  let text = ''
  while (message.pos < message.len) {
    const [field, type] = message.tag()
    if (field === wanted && type === WireType.LengthDelimited) text = message.string()
    else message.skip(type, field)
  }
  return text
}

/** Decodes, and names what cannot be decoded. Anything thrown meanwhile is the fault of the file. */
export function decoding<T>(what: string, id: string, decode: () => T): T {
  try {
    return decode()
  } catch {
    throw new FileRefused(`The ${what} ${JSON.stringify(id.slice(0, 200))} in the file cannot be decoded.`)
  }
}
