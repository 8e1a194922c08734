import { toSingleLine } from '#kernel/single-line.ts'
import { type HelloRequest, loadProtocol } from '#rooms/records/baton/index.ts'

const { Capability } = await loadProtocol()

const textMax = 500
const listMax = 200
const cut = (text: string | undefined): string =>
  toSingleLine((text ?? '').replaceAll('\0', '').toWellFormed()).slice(0, textMax)
const nameOf = (capability: number): string => (Capability[capability] ?? `${capability}`).toLowerCase()

/** What a connector reports about itself when it starts, as far as it is shown. */
export function metadataOf({ buildInfo, osInfo, connectorMetadata }: HelloRequest): object {
  const { capabilities, accountCreationSchema } = connectorMetadata ?? {}
  const { capabilityAccountProvisioning: ofAccounts } = capabilities?.credentialDetails ?? {}
  const fields = Object.entries(accountCreationSchema?.fieldMap ?? {}).slice(0, listMax)
  return {
    name: cut(connectorMetadata?.displayName),
    description: cut(connectorMetadata?.description),
    package: cut(buildInfo?.package),
    version: cut(buildInfo?.packageVersion),
    os: cut(osInfo?.os),
    hostname: cut(osInfo?.hostname),
    capabilities: (capabilities?.connectorCapabilities ?? []).slice(0, listMax).map(nameOf),
    resourceTypes: (capabilities?.resourceTypeCapabilities ?? []).slice(0, listMax).map((each) => ({
      id: cut(each.resourceType?.id),
      capabilities: each.capabilities.slice(0, listMax).map(nameOf),
    })),
    accountCredentials: (ofAccounts?.supportedCredentialOptions ?? [])
      .slice(0, listMax)
      .flatMap((option) => credentials[option] ?? []),
    accountFields: fields.map(([name, of]) => ({
      name: cut(name),
      isRequired: of.required,
      ...withDefault(of.field.value?.defaultValue),
    })),
  }
}

/** Other options would send a secret that nobody here could be shown safely. */
const credentials: Record<number, string> = { 1: 'no_password', 2: 'random_password' }

const withDefault = (value: string | boolean | number | string[] | undefined): { default?: unknown } => {
  if (Array.isArray(value)) return value.length > 0 ? { default: value.slice(0, listMax).map(cut) } : {}
  return value === undefined || value === '' ? {} : { default: typeof value === 'string' ? cut(value) : value }
}
