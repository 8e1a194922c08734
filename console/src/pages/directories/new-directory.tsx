import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import type { App } from '#client/api/types.ts'
import { AppPicker } from '../../parts/app-picker.tsx'
import { ForWriters } from './for-writers.tsx'
import { newTerms } from './terms.ts'
import { TermsEditor } from './terms-editor.tsx'

const start = newTerms()

/** Makes an app a directory: which app, which of its accounts, by which keys; then the plan. */
export function NewDirectory(): ReactNode {
  const [app, setApp] = useState<App | null>(null)
  const isOne = app?.isDirectory ?? false
  return (
    <ForWriters
      about="Its accounts become users, now and after each import and sync. Users who are no longer active in it are disabled."
      above={[{ label: 'Directories', to: '/directories' }]}
    >
      <TermsEditor
        appId={app?.id ?? ''}
        saved={start}
        isNew
        lack={app ? (isOne ? `${app.displayName} is already a directory.` : null) : 'Choose an app.'}
      >
        <div style={{ marginBottom: '1.25rem' }}>
          <AppPicker isRequired isAutoFocused chosen={app} onPick={setApp} />
          {isOne && (
            <Anchor component={Link} to={`/directories/${app?.id}`} size="sm">
              {app?.displayName} is already a directory: open it
            </Anchor>
          )}
        </div>
      </TermsEditor>
    </ForWriters>
  )
}
