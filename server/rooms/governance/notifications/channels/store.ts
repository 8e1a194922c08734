import type { Reads, Tx } from '#kernel/sql.ts'
import type { Channel } from '../kinds.ts'
import type { ChannelTest } from './channel-test.ts'

const columns = (db: Reads) => db`
  t.channel, t.configuration, t.code_mac as "codeMac", t.tested_by as "testedBy", t.tested_at as "testedAt",
  t.is_accepted as "isAccepted", t.reply, t.wrong_codes as "wrongCodes",
  t.confirmed_configuration as "confirmedConfiguration", t.confirmed_by as "confirmedBy",
  t.confirmed_at as "confirmedAt"`

export const listTests = (db: Reads, tenantId: number): Promise<ChannelTest[]> => db<ChannelTest[]>`
  select ${columns(db)} from channel_tests t where t.tenant_id = ${tenantId} order by t.channel`

export async function lockTest(tx: Tx, tenantId: number, channel: Channel): Promise<ChannelTest | null> {
  const [row] = await tx<ChannelTest[]>`
    select ${columns(tx)} from channel_tests t
    where t.tenant_id = ${tenantId} and t.channel = ${channel} for update`
  return row ?? null
}

type NewTest = Pick<
  ChannelTest,
  'channel' | 'configuration' | 'codeMac' | 'testedBy' | 'testedAt' | 'isAccepted' | 'reply'
>

/** Replaces the test before; what was confirmed stays. */
export async function putTest(tx: Tx, tenantId: number, test: NewTest): Promise<void> {
  const { channel, configuration, codeMac, testedBy, testedAt, isAccepted, reply } = test
  await tx`
    insert into channel_tests (tenant_id, channel, configuration, code_mac, tested_by, tested_at, is_accepted, reply,
      wrong_codes)
    values (${tenantId}, ${channel}, ${configuration}, ${codeMac}, ${testedBy}, ${testedAt}, ${isAccepted}, ${reply}, 0)
    on conflict (tenant_id, channel) do update set configuration = excluded.configuration,
      code_mac = excluded.code_mac, tested_by = excluded.tested_by, tested_at = excluded.tested_at,
      is_accepted = excluded.is_accepted, reply = excluded.reply, wrong_codes = 0`
}

export async function countWrongCode(tx: Tx, tenantId: number, channel: Channel): Promise<void> {
  await tx`
    update channel_tests set wrong_codes = wrong_codes + 1 where tenant_id = ${tenantId} and channel = ${channel}`
}

export async function confirmTest(
  tx: Tx,
  tenantId: number,
  { channel, configuration, by, at }: { channel: Channel; configuration: string; by: string; at: Date },
): Promise<void> {
  await tx`
    update channel_tests set code_mac = null, confirmed_configuration = ${configuration}, confirmed_by = ${by},
      confirmed_at = ${at}
    where tenant_id = ${tenantId} and channel = ${channel}`
}
