import { type Attribute, common, named, type ResourceType } from './schema.ts'

/** An attribute by its path, as in `name.familyName` or `urn:…:User:department`. */
export type Resolved = {
  readonly attribute: Attribute
  readonly sub: Attribute | null
  /** The URN of the extension that it belongs to; null for the resource itself. */
  readonly extension: string | null
}

const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()

/** Whether a path is the URN of the extension, and so the whole extension. */
export const isExtension = ({ extension }: ResourceType, path: string): boolean =>
  extension !== null && isSame(path, extension.urn)

export function resolve(type: ResourceType, path: string): Resolved | null {
  const { schema, extension } = type
  const [attributes, rest, urn] = withoutUrn(path, extension?.urn ?? null)
    ? [extension?.attributes ?? [], withoutUrn(path, extension?.urn ?? null) as string, extension?.urn ?? null]
    : [[...common, ...schema.attributes], withoutUrn(path, schema.urn) ?? path, null]
  const [name = '', subName, ...more] = rest.split('.')
  const attribute = more.length > 0 ? null : named(attributes, name)
  if (!attribute) return null
  if (subName === undefined) return { attribute, sub: null, extension: urn }
  const sub = named(attribute.subAttributes ?? [], subName)
  return sub && { attribute, sub, extension: urn }
}

const withoutUrn = (path: string, urn: string | null): string | null =>
  // Some clients write a dot in place of the colon.
  urn !== null && path.length > urn.length && isSame(path.slice(0, urn.length + 1).replace(/\.$/, ':'), `${urn}:`)
    ? path.slice(urn.length + 1)
    : null
