import { Badge } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Exporter } from '#client/api/types.ts'

const looks: Readonly<Record<Exporter['state'], readonly [label: string, color: string]>> = {
  EXPORT_STATE_UNSPECIFIED: ['Unknown', 'gray'],
  EXPORT_STATE_EXPORTING: ['Exporting', 'blue'],
  EXPORT_STATE_WAITING: ['Up to date', 'teal'],
  EXPORT_STATE_ERROR: ['Failing', 'red'],
}

export const ExportBadge = ({ state }: { state: Exporter['state'] }): ReactNode => {
  const [label, color] = looks[state]
  return (
    <Badge component="span" color={color}>
      {label}
    </Badge>
  )
}

const kinds: Readonly<Record<string, string>> = {
  folder: 'folder on the server',
  s3: 'S3-compatible storage',
  http: 'HTTP collector',
  otlp: 'OpenTelemetry collector',
}
export const kindWords = (kind: string): string => kinds[kind] ?? kind

/** As people read sizes: 2.4 MB. */
export function sizeWords(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  const units = ['kB', 'MB', 'GB', 'TB']
  const unit = Math.min(Math.floor(Math.log10(bytes) / 3), units.length) - 1
  return `${(bytes / 1000 ** (unit + 1)).toFixed(1)} ${units[unit] ?? ''}`
}
