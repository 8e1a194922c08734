import type { Reads, Tx } from '#kernel/sql.ts'

export async function setFollowed(tx: Tx, tenantId: number, appId: string, at: Date | null): Promise<void> {
  await tx`update directories set followed_at = ${at} where tenant_id = ${tenantId} and app_id = ${appId}`
}

/** Saves the error of the last time its accounts were processed. */
export async function setError(db: Reads, tenantId: number, appId: string, text: string, at: Date): Promise<void> {
  await db`
    update directories set last_error = ${text}, last_error_at = ${text === '' ? null : at}
    where tenant_id = ${tenantId} and app_id = ${appId} and (last_error <> ${text})`
}

export type Placement = { appId: string; rank: number; ranks: { readonly [attribute: string]: number } }

export async function setOrder(tx: Tx, tenantId: number, places: readonly Placement[], at: Date): Promise<void> {
  await tx`
    update directories x set rank = w.rank, ranks = w.ranks, updated_at = ${at}
    from jsonb_to_recordset(${tx.json(places)}) as w ("appId" text, rank int, ranks jsonb)
    where x.tenant_id = ${tenantId} and x.app_id = w."appId"`
}
