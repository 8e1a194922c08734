import type { FieldViolation } from '#kernel/refusals.ts'
import type { CatalogEntry, Setting } from './entry.ts'

/** How clients of the published API write settings: `{"@type": …, "configuration": {"name": {"stringValue": "…"}}}`. */
const configType = 'type.googleapis.com/c1.api.app.v1.EnvConfig'

export type Config = { readonly [name: string]: string }

const valueLengthMax = 2000

type Json = { readonly [name: string]: unknown }
const isObject = (json: unknown): json is Json => typeof json === 'object' && json !== null && !Array.isArray(json)

/**
 * The settings that a connector is started with, or what is wrong with them. Secrets are refused: they are kept where the
 * connector runs, and only there.
 */
export function readConfig(json: Json, entry: CatalogEntry | null, at: string): Config | FieldViolation[] {
  const { '@type': type, configuration = {}, ...others } = json
  if (type !== configType) return [{ field: `${at}.@type`, description: `must be ${configType}` }]
  const [strange] = Object.keys(others)
  if (strange !== undefined) return [{ field: `${at}.${strange.slice(0, 100)}`, description: 'is not a field here' }]
  if (!isObject(configuration)) return [{ field: `${at}.configuration`, description: 'must be an object' }]
  const settings = new Map(entry?.settings.map((setting) => [setting.name, setting]))
  const problems: FieldViolation[] = []
  const config: Record<string, string> = {}
  for (const [name, value] of Object.entries(configuration)) {
    const text = isObject(value) ? value['stringValue'] : value
    // Clients send empty values for what they do not set.
    if (text === '' || text === null || text === undefined) continue
    const problem = settingProblem(settings.get(name), text, entry)
    if (problem === null) config[name] = text as string
    else problems.push({ field: `${at}.configuration.${name.slice(0, 100)}`, description: problem })
    if (problems.length >= 100) break
  }
  return problems.length > 0 ? problems : config
}

function settingProblem(setting: Setting | undefined, value: unknown, entry: CatalogEntry | null): string | null {
  if (!entry)
    return 'is unknown: the connector is not in the catalog. Start its program with the settings that it needs'
  if (!setting) return `is not a setting of ${entry.id}`
  if (setting.isSecret) return 'is a secret and is not stored. Set it where the connector runs'
  if (typeof value !== 'string') return 'must be text'
  return value.length > valueLengthMax ? `must have at most ${valueLengthMax} characters` : null
}

export const configOnWire = (config: Config | null): Json | null =>
  config && {
    '@type': configType,
    configuration: Object.fromEntries(Object.entries(config).map(([name, stringValue]) => [name, { stringValue }])),
  }
