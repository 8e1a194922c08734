import { NativeSelect, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { exportsListDatasources } from '#client/api/operations.ts'
import type { Exporter } from '#client/api/types.ts'
import { problemOf } from '../../../client/problem.ts'
import { read } from '../../../client/queries.ts'
import { FormModal } from '../../../parts/form-modal.tsx'
import { NameField } from '../../../parts/name-fields.tsx'
import { kindWords } from './state.tsx'

type Format = NonNullable<Exporter['datasource']>['format']
export type ExportFields = { displayName: string; datasource: { datasourceId: string; prefix: string; format: Format } }

type ExportFormProps = {
  title: string
  verb: string
  /** What the API calls the fields: in an update they are of the exporter. */
  at: '' | 'exporter.'
  before?: Exporter
  isPending: boolean
  error: unknown
  onClose: () => void
  onSubmit: (fields: ExportFields) => void
}

/** The name of an export and its destination. */
export function ExportForm({
  title,
  verb,
  at,
  before,
  isPending,
  error,
  onClose,
  onSubmit,
}: ExportFormProps): ReactNode {
  const [displayName, setDisplayName] = useState(before?.displayName ?? '')
  const [chosen, setChosen] = useState(before?.datasource?.datasourceId ?? '')
  const [prefix, setPrefix] = useState(before?.datasource?.prefix ?? '')
  const [format, setFormat] = useState<Format>(before?.datasource?.format ?? 'EXPORT_FORMAT_OCSF_JSON_GZIP')
  const { isLoaded, options, datasourceId, isFile } = useDatasources(chosen)
  return (
    <FormModal
      opened
      onClose={onClose}
      title={title}
      verb={verb}
      isIncomplete={displayName.trim() === '' || datasourceId === ''}
      isPending={isPending}
      error={error}
      fields={[`${at}displayName`, `${at}datasource.datasourceId`, `${at}datasource.prefix`]}
      onSubmit={() => onSubmit({ displayName: displayName.trim(), datasource: { datasourceId, prefix, format } })}
    >
      <NameField value={displayName} onChange={setDisplayName} error={problemOf(error, `${at}displayName`)} />
      {isLoaded && options.length === 0 ? (
        <Text size="sm">
          No datasource is configured. The operator of this server defines folders, storage and collectors in a file,
          with the setting --datasources-file.
        </Text>
      ) : (
        <NativeSelect
          label="Datasource"
          description="Where the events are sent. The operator of this server defines the datasources."
          data={options}
          value={datasourceId}
          onChange={({ currentTarget: { value } }) => setChosen(value)}
          error={problemOf(error, `${at}datasource.datasourceId`)}
        />
      )}
      {isFile && (
        <TextInput
          label="Prefix"
          description="Folders before the file names, such as logs/bailiwick. Optional."
          maxLength={200}
          value={prefix}
          onChange={({ currentTarget: { value } }) => setPrefix(value)}
          error={problemOf(error, `${at}datasource.prefix`)}
        />
      )}
      <NativeSelect
        label="Compression"
        value={format}
        onChange={({ currentTarget: { value } }) => setFormat(value as Format)}
        data={[
          { value: 'EXPORT_FORMAT_OCSF_JSON_GZIP', label: 'gzip' },
          { value: 'EXPORT_FORMAT_OCSF_JSON_ZSTD', label: 'Zstandard' },
        ]}
      />
    </FormModal>
  )
}

/** The datasources to choose from: the first where none is chosen. */
function useDatasources(chosen: string) {
  const { data } = useQuery(read(exportsListDatasources, {}))
  const known = data?.list ?? []
  const datasourceId = chosen || (known[0]?.id ?? '')
  const options = [
    // A datasource that is no longer in the settings is shown, so that it is not changed unnoticed.
    ...(chosen && !known.some(({ id }) => id === chosen)
      ? [{ value: chosen, label: `${chosen} (not configured)` }]
      : []),
    ...known.map(({ id, kind }) => ({ value: id, label: `${id} (${kindWords(kind)})` })),
  ]
  const isFile = ['folder', 's3'].includes(known.find(({ id }) => id === datasourceId)?.kind ?? 'folder')
  return { isLoaded: data !== undefined, options, datasourceId, isFile }
}
