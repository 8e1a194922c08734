import { type HelloRequest, loadProtocol } from '#rooms/records/baton/index.ts'

const { Capability } = await loadProtocol()

const textMax = 500
const listMax = 200
const cut = (text: string | undefined): string => (text ?? '').replaceAll('\0', '').toWellFormed().slice(0, textMax)
const nameOf = (capability: number): string => (Capability[capability] ?? `${capability}`).toLowerCase()

/** What a connector says of itself when it starts, as far as it is shown. */
export function metadataOf({ buildInfo, osInfo, connectorMetadata }: HelloRequest): object {
  const { capabilities } = connectorMetadata ?? {}
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
  }
}
