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
  // Connectors of 2026 say these of the resource itself; older ones in a trait.
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

const grantSources = 5
const mapOfSources = 1
const mapKey = 1
const none: readonly string[] = []

/**
 * The entitlements by which a grant is held. Read by hand: there are ten times as many grants as anything else, most have
 * no sources, and all else that is in the message stands in columns too.
 */
export function decodeSources(data: Uint8Array): readonly string[] {
  const grant = new BinaryReader(data)
  let found: string[] | null = null
  while (grant.pos < grant.len) {
    const [field, type] = grant.tag()
    if (field !== grantSources || type !== WireType.LengthDelimited) {
      grant.skip(type, field)
      continue
    }
    const sources = new BinaryReader(grant.bytes())
    while (sources.pos < sources.len) {
      const [entryField, entryType] = sources.tag()
      if (entryField !== mapOfSources || entryType !== WireType.LengthDelimited) sources.skip(entryType, entryField)
      else (found ??= []).push(keyOf(sources.bytes()))
    }
  }
  return found ?? none
}

function keyOf(bytes: Uint8Array): string {
  const entry = new BinaryReader(bytes)
  let key = ''
  while (entry.pos < entry.len) {
    const [field, type] = entry.tag()
    if (field === mapKey && type === WireType.LengthDelimited) key = entry.string()
    else entry.skip(type, field)
  }
  return key
}

/** Decodes, and names what cannot be decoded. Whatever is thrown meanwhile is the file's doing. */
export function decoding<T>(what: string, id: string, decode: () => T): T {
  try {
    return decode()
  } catch {
    throw new FileRefused(`The ${what} ${JSON.stringify(id.slice(0, 200))} in the file cannot be decoded.`)
  }
}
