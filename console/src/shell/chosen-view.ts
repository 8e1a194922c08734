import { useLocalStorage } from '@mantine/hooks'
import { useSession } from '../client/session.ts'
import type { View } from '../page-data.ts'
import { viewsOf } from '../views.ts'

/** The views that the caller has, and the one that they chose: kept in this browser, for this person. */
export function useView(): { view: View; views: readonly View[]; choose: (view: View) => void } {
  const session = useSession()
  const [kept, choose] = useLocalStorage<View | ''>({
    key: `bailiwick-view-${session.user?.id ?? ''}`,
    defaultValue: '',
    getInitialValueInEffect: false,
  })
  const views = viewsOf(session)
  // They may have lost a role since they chose.
  const view = views.find((each) => each === kept) ?? views[0] ?? 'employee'
  return { view, views, choose }
}
