import type { ReactNode } from 'react'
import { appSearch } from '#client/api/operations.ts'
import type { App } from '#client/api/types.ts'
import { Picker, type PickerOptions } from './picker.tsx'

type AppPickerProps = Omit<PickerOptions, 'label'> & {
  placeholder?: string
  /** The chosen app, for a field that keeps its choice. */
  chosen?: App | null
  onPick: (app: App) => void
}

/** Finds an app with the search of the API. */
export const AppPicker = ({ placeholder = 'Type the name of an app', ...props }: AppPickerProps): ReactNode => (
  <Picker
    {...props}
    label="App"
    placeholder={placeholder}
    operation={appSearch}
    input={(query) => ({ body: { query, pageSize: 25 } })}
    items={({ list }) => list}
    keyOf={({ id }) => id}
    nameOf={({ displayName }) => displayName}
  />
)
