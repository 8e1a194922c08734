import { applicationConnectors } from './applications.ts'
import type { CatalogEntry } from './entry.ts'
import { identityConnectors } from './identity.ts'
import { infrastructureConnectors } from './infrastructure.ts'

/**
 * Well-known open-source connectors, with the settings of each: facts from their public repositories (the configuration that
 * they declare and the capabilities that they list, as of November 2026), in this project's words. Settings that only tune a
 * connector are omitted.
 */
export const catalog: readonly CatalogEntry[] = [
  ...applicationConnectors,
  ...identityConnectors,
  ...infrastructureConnectors,
].toSorted((a, b) => (a.id < b.id ? -1 : 1))
