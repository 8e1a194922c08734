/** A place outside the server, defined in its settings, to which the system log is exported. */
export type Datasource = FolderSource | S3Source | HttpSource | OtlpSource

type Common = {
  id: string
  /** The domains of the tenants that may use it; null for all. */
  tenants: readonly string[] | null
  /** How often an export checks for new events. */
  everySeconds: number
}

export type FolderSource = Common & { kind: 'folder'; path: string }

export type S3Source = Common & {
  kind: 's3'
  endpoint: string
  region: string
  bucket: string
  prefix: string
  isPathStyle: boolean
  accessKeyId: string
  secretAccessKeyFile: string
}

export type HttpSource = Common & {
  kind: 'http'
  url: string
  tokenFile: string | null
  tokenHeader: string
  tokenScheme: string
  /** Lines of OCSF, or each wrapped as Splunk's HTTP Event Collector requires. */
  shape: 'ndjson' | 'splunk'
}

export type OtlpSource = Common & {
  kind: 'otlp'
  url: string
  tokenFile: string | null
  tokenHeader: string
  tokenScheme: string
}

/** Whether files stay there and can be read again: only then may events be removed from the database. */
export const isArchive = (source: Datasource): source is FolderSource | S3Source =>
  source.kind === 'folder' || source.kind === 's3'

export const mayUse = ({ tenants }: Datasource, domain: string): boolean => tenants === null || tenants.includes(domain)
