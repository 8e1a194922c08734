import { isIP } from 'node:net'

/**
 * OCSF 1.3.0, as far as our events use it: https://github.com/ocsf/ocsf-schema/tree/1.3.0, from
 * events/application/api_activity.json, events/iam/authentication.json, events/base_event.json, objects/*.json and
 * dictionary.json. Everything the schema lists for a class or an object that we use is listed here, so that an attribute
 * it does not know is found too. The attributes of profiles that we do not declare (cloud, datetime, osint, host) are not.
 */
type Attribute = { type: string; required: boolean; isArray: boolean; ids: readonly number[] | null }
type Definition = { attributes: Record<string, Attribute>; atLeastOne: readonly string[] }

/** `name type`, `name! type` where it is required, `name type[]` for a list. */
const define = (lines: string, more: { atLeastOne?: string[]; ids?: Record<string, number[]> } = {}): Definition => ({
  attributes: Object.fromEntries(
    lines
      .trim()
      .split(/\s*,\s*/)
      .map((line) => {
        const [name = '', type = ''] = line.trim().split(/\s+/)
        const bare = name.replace('!', '')
        return [
          bare,
          {
            type: type.replace('[]', ''),
            required: name.endsWith('!'),
            isArray: type.endsWith('[]'),
            ids: more.ids?.[bare] ?? null,
          },
        ]
      }),
  ),
  atLeastOne: more.atLeastOne ?? [],
})

const base = `
  activity_id! integer, activity_name string, category_uid! integer, category_name string, class_uid! integer,
  class_name string, type_uid! integer, type_name string, time! timestamp, start_time timestamp, end_time timestamp,
  duration integer, count integer, timezone_offset integer, enrichments json[], message string, metadata! metadata,
  observables json[], raw_data string, severity string, severity_id! integer, status string, status_code string,
  status_detail string, status_id integer, unmapped json`
const baseIds = { severity_id: [0, 1, 2, 3, 4, 5, 6, 99], status_id: [0, 1, 2, 99] }

const classes: Record<number, Definition> = {
  6003: define(
    `${base}, actor! actor, api! api, src_endpoint! network_endpoint, dst_endpoint network_endpoint,
    http_request http_request, resources resource_details[]`,
    { ids: { ...baseIds, activity_id: [0, 1, 2, 3, 4, 99] } },
  ),
  3002: define(
    `${base}, user! user, actor actor, auth_factors json[], auth_protocol string, auth_protocol_id integer,
    certificate json, dst_endpoint network_endpoint, http_request http_request, is_cleartext boolean, is_mfa boolean,
    is_new_logon boolean, is_remote boolean, logon_process json, logon_type string, logon_type_id integer,
    service service, session session, src_endpoint network_endpoint`,
    {
      atLeastOne: ['service', 'dst_endpoint'],
      ids: {
        ...baseIds,
        activity_id: [0, 1, 2, 3, 4, 5, 6, 99],
        auth_protocol_id: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 99],
        logon_type_id: [0, 1, 2, 3, 4, 5, 7, 8, 9, 10, 11, 12, 13, 99],
      },
    },
  ),
}

const objects: Record<string, Definition> = {
  metadata: define(`
    version! string, product! product, uid string, tenant_uid string, profiles string[], labels string[],
    event_code string, correlation_uid string, log_name string, log_provider string, log_level string,
    log_version string, logged_time timestamp, loggers json[], modified_time timestamp, original_time string,
    processed_time timestamp, sequence integer, extension json, extensions json[]`),
  product: define(`
    vendor_name! string, name string, version string, uid string, lang string, path string, feature json,
    cpe_name string, url_string string`),
  actor: define(
    `user user, session session, process json, invoked_by string, app_name string, app_uid string, idp json,
    authorizations json[]`,
    { atLeastOne: ['process', 'user', 'invoked_by', 'session', 'app_name', 'app_uid'] },
  ),
  user: define(
    `name string, uid string, uid_alt string, email_addr email, full_name string, type string, type_id integer,
    credential_uid string, domain string, account json, groups json[], org json, ldap_person json, risk_level string,
    risk_level_id integer, risk_score integer`,
    { atLeastOne: ['account', 'name', 'uid'], ids: { type_id: [0, 1, 2, 3, 99] } },
  ),
  session: define(`
    uid string, uid_alt string, uuid string, credential_uid string, created_time timestamp, expiration_time timestamp,
    expiration_reason string, is_mfa boolean, is_remote boolean, is_vpn boolean, issuer string, terminal string,
    count integer`),
  api: define('operation! string, request request, response response, service service, group json, version string'),
  request: define('uid! string, data json, flags string[], containers json[]'),
  response: define(`
    code integer, error string, error_message string, message string, data json, flags string[], containers json[]`),
  service: define('name string, uid string, version string, labels string[]', { atLeastOne: ['name', 'uid'] }),
  http_request: define(`
    uid string, args string, http_headers json[], http_method string, length integer, referrer string, url json,
    user_agent string, version string, x_forwarded_for ip[]`),
  network_endpoint: define(
    `ip ip, hostname hostname, name string, uid string, port port, svc_name string, domain string, type string,
    type_id integer, instance_uid string, interface_uid string, interface_name string, intermediate_ips ip[], mac string,
    location json, os json, owner user, subnet_uid string, vlan_uid string, vpc_uid string, zone string, hw_info json,
    agent_list json[], autonomous_system json, proxy_endpoint json`,
    { atLeastOne: ['ip', 'uid', 'name', 'hostname', 'svc_name', 'instance_uid', 'interface_uid', 'interface_name'] },
  ),
  resource_details: define(
    `uid string, name string, type string, data json, labels string[], owner user, group json, namespace string,
    criticality string, cloud_partition string, region string, version string, agent_list json[]`,
    { atLeastOne: ['name', 'uid'] },
  ),
}

const isText = (value: unknown): boolean => typeof value === 'string' && value !== '' && value.length <= 65_535
const isInteger = (value: unknown): value is number => Number.isSafeInteger(value)
const hostname =
  /^(([a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])\.)*([A-Za-z0-9]|[A-Za-z0-9][A-Za-z0-9-]*[A-Za-z0-9])$/
const email = /^[a-zA-Z0-9!#$%&'*+-/=?^_`{|}~.]+@[a-zA-Z0-9-]+\.[a-zA-Z0-9-.]+$/

const scalars: Record<string, (value: unknown) => boolean> = {
  string: isText,
  integer: isInteger,
  boolean: (value) => typeof value === 'boolean',
  // Milliseconds: between 2020 and 2100.
  timestamp: (value) => isInteger(value) && value > 1_577_836_800_000 && value < 4_102_444_800_000,
  ip: (value) => typeof value === 'string' && isIP(value) !== 0,
  hostname: (value) => typeof value === 'string' && hostname.test(value),
  email: (value) => typeof value === 'string' && email.test(value),
  port: (value) => isInteger(value) && value >= 0 && value <= 65_535,
  json: (value) => typeof value === 'object' && value !== null,
}

type Json = Record<string, unknown>

function problemsIn(path: string, { attributes, atLeastOne }: Definition, value: unknown): string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [`${path}: not an object`]
  const json = value as Json
  const missing = Object.keys(attributes).filter((name) => attributes[name]?.required && json[name] === undefined)
  return [
    ...missing.map((name) => `${path}.${name}: is required`),
    ...(atLeastOne.length > 0 && !atLeastOne.some((name) => name in json)
      ? [`${path}: needs one of ${atLeastOne.join(', ')}`]
      : []),
    ...Object.entries(json).flatMap(([name, inner]) => {
      const attribute = attributes[name]
      return attribute ? problemsOf(`${path}.${name}`, attribute, inner) : [`${path}.${name}: is not of the schema`]
    }),
  ]
}

function problemsOf(path: string, attribute: Attribute, value: unknown): string[] {
  if (attribute.isArray) {
    if (!Array.isArray(value)) return [`${path}: not a list`]
    return value.flatMap((each, i) => problemsOf(`${path}[${i}]`, { ...attribute, isArray: false }, each))
  }
  const object = objects[attribute.type]
  if (object) return problemsIn(path, object, value)
  if (!scalars[attribute.type]?.(value)) return [`${path}: ${JSON.stringify(value)} is no ${attribute.type}`]
  return attribute.ids && !attribute.ids.includes(value as number)
    ? [`${path}: ${String(value)} is not in the list`]
    : []
}

/** What an event does not keep of OCSF 1.3.0. */
export function ocsfProblems(event: Json): string[] {
  const definition = classes[event['class_uid'] as number]
  if (!definition) return [`class_uid: ${String(event['class_uid'])} is neither API Activity nor Authentication`]
  const { class_uid, activity_id, type_uid, category_uid, metadata } = event as Record<string, number>
  return [
    ...problemsIn('event', definition, event),
    ...(type_uid === (class_uid as number) * 100 + (activity_id as number) ? [] : ['type_uid: is not of the class']),
    ...(category_uid === Math.floor((class_uid as number) / 1000) ? [] : ['category_uid: is not of the class']),
    ...((metadata as unknown as Json)?.['version'] === '1.3.0' ? [] : ['metadata.version: is not 1.3.0']),
    ...((metadata as unknown as Json)?.['uid'] ? [] : ['metadata.uid: every event of ours has one']),
  ]
}
