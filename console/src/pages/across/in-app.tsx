import type { App } from '#client/api/types.ts'
import { Named } from '../../parts/named.tsx'
import type { Column } from '../../parts/table.tsx'

/** Something in an app, in lists across apps: which one it is, and what it is called there. */
export const keyInApp = ({ appId, id }: { appId: string; id: string }): string => `${appId} ${id}`
export const labelInApp = (name: string, app: App | undefined): string => (app ? `${name} (${app.displayName})` : name)

/** The app that each row belongs to. */
export const appColumn = <Row extends { app?: App | undefined }>(
  appIdOf: (row: Row) => string,
  column: Pick<Column<Row>, 'sort' | 'width'>,
): Column<Row> => ({
  header: 'App',
  ...column,
  cell: (row) => <Named isQuiet label={row.app?.displayName ?? appIdOf(row)} to={`/apps/${appIdOf(row)}`} />,
})
