import { may } from '#authority/may.ts'
import type { May } from '#authority/proof.ts'
import { invalid } from '#kernel/refusals.ts'
import type { Call } from '#kernel/routes.ts'
import type { Tx } from '#kernel/sql.ts'
import { recordChange } from '#rooms/foundation/systemlog/index.ts'
import { lockUsers } from '#rooms/identity/users/index.ts'
import { mayChange, tidyQuery, viewProblems, viewsMax } from './decide.ts'
import { mayNotShare, tooManyViews, viewExists, viewNotFound } from './refuse.ts'
import { countViews, deleteView, insertView, isNameTaken, lockView, updateView } from './store.ts'
import type { SavedView } from './view.ts'

export const callerOf = ({ actor }: Pick<Call, 'actor'>) => ({
  userId: actor.userId,
  mayShare: may(actor, 'views.share'),
})

export type ViewTerms = Pick<SavedView, 'page' | 'name' | 'query' | 'isShared'>

export async function createView(tx: Tx, call: May<'views.use'>, wanted: ViewTerms): Promise<SavedView> {
  const at = call.now()
  const view: SavedView = {
    ...tidy(wanted),
    id: call.newId(),
    userId: call.actor.userId,
    createdAt: at,
    updatedAt: at,
  }
  if (view.isShared && !callerOf(call).mayShare) throw mayNotShare()
  // One after the other, so that two concurrent requests do not both pass the limit.
  await lockUsers(tx, call.tenant.id, [view.userId], at)
  await refuseTooMany(tx, call, { own: true, shared: view.isShared })
  if (!(await insertView(tx, call, view))) throw viewExists(view.name)
  await recordView(tx, call, 'create', 'Saved', view)
  return view
}

export async function changeView(
  tx: Tx,
  call: May<'views.use'>,
  id: string,
  changes: Partial<Omit<ViewTerms, 'page'>>,
): Promise<SavedView> {
  const before = await lockToChange(tx, call, id)
  const after: SavedView = { ...before, ...tidy({ ...before, ...changes }), updatedAt: call.now() }
  if (after.isShared && !before.isShared) {
    if (!callerOf(call).mayShare) throw mayNotShare()
    await refuseTooMany(tx, call, { own: false, shared: true })
  }
  if (await isNameTaken(tx, call.tenant.id, after)) throw viewExists(after.name)
  await updateView(tx, call, after)
  await recordView(tx, call, 'update', 'Changed', after)
  return after
}

export async function removeView(tx: Tx, call: May<'views.use'>, id: string): Promise<void> {
  const view = await lockToChange(tx, call, id)
  await deleteView(tx, call, id)
  await recordView(tx, call, 'delete', 'Deleted', view)
}

/** What one does not see is not there; what one sees and may not change is refused. */
async function lockToChange(tx: Tx, call: Call, id: string): Promise<SavedView> {
  const view = await lockView(tx, call.tenant.id, id, call.actor.userId)
  if (!view) throw viewNotFound(id)
  if (!mayChange(view, callerOf(call))) throw mayNotShare()
  return view
}

function tidy({ page, name, query, isShared }: ViewTerms): ViewTerms {
  const view = { page, name: name.trim(), query: tidyQuery(query), isShared }
  const [first, ...others] = viewProblems(view)
  if (first) throw invalid(first, ...others)
  return view
}

async function refuseTooMany(tx: Tx, call: Call, adds: { own: boolean; shared: boolean }): Promise<void> {
  const { own, shared } = await countViews(tx, call.tenant.id, call.actor.userId)
  if (adds.own && own >= viewsMax.own) throw tooManyViews('own')
  if (adds.shared && shared >= viewsMax.shared) throw tooManyViews('shared')
}

const recordView = (tx: Tx, call: Call, activity: 'create' | 'update' | 'delete', verb: string, view: SavedView) =>
  recordChange(tx, call, activity, `${verb} the view ${view.name} of ${view.page}`, [
    {
      type: 'saved_view',
      id: view.id,
      name: view.name,
      data: { page: view.page, query: view.query, isShared: view.isShared },
    },
  ])
