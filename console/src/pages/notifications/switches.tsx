import { Checkbox, Group, NativeSelect, Switch } from '@mantine/core'
import type { ReactNode } from 'react'
import type { DigestPreference, EmailChannelSettings } from '#client/api/types.ts'
import { dayLabel, days, type KindName, kinds } from './kinds.ts'
import classes from './switches.module.css'

export type Channel = Pick<EmailChannelSettings, KindName | 'enabled' | 'digest'>
export type Change = Partial<{ [K in KindName]: { enabled?: boolean; locked?: boolean } }> & {
  enabled?: boolean
  digest?: Partial<DigestPreference>
}

type SwitchesProps = {
  /** What the switches are for, for screen readers. */
  label: string
  channel: Channel
  /** Whether people can be kept from choosing for themselves. */
  hasLocks: boolean
  /** Nothing can be changed: by this caller, or at all. */
  isFixed: boolean
  onChange: (change: Change) => void
}

/** The notifications of a channel, each with its switch. */
export function Switches({ label, channel, hasLocks, isFixed, onChange }: SwitchesProps): ReactNode {
  const isOff = !channel.enabled
  return (
    <table className={classes.table} aria-label={label}>
      <thead>
        <tr>
          <th scope="col">Notification</th>
          <th scope="col">Send</th>
          {hasLocks && <th scope="col">Same for everyone</th>}
        </tr>
      </thead>
      <tbody>
        {kinds.map(([kind, name, about]) => {
          const one = channel[kind]
          const isSystem = kind === 'system'
          const isLocked = !hasLocks && (one?.locked ?? false)
          return (
            <tr key={kind}>
              <td>
                {name}
                <div className={classes.about}>
                  {about}
                  {isLocked && !isSystem && '. Set by your organization'}
                </div>
              </td>
              <td>
                <Switch
                  aria-label={`${label}: ${name}`}
                  checked={one?.enabled ?? false}
                  disabled={isFixed || isSystem || isLocked || isOff}
                  onChange={({ currentTarget: { checked } }) => onChange({ [kind]: { enabled: checked } })}
                />
              </td>
              {hasLocks && (
                <td>
                  {!isSystem && (
                    <Checkbox
                      aria-label={`${label}: ${name}, same for everyone`}
                      checked={one?.locked ?? false}
                      disabled={isFixed || isOff}
                      onChange={({ currentTarget: { checked } }) => onChange({ [kind]: { locked: checked } })}
                    />
                  )}
                </td>
              )}
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

/** Whether notifications are collected, and when they are sent then. */
export function Digest({ label, channel, hasLocks, isFixed, onChange }: SwitchesProps): ReactNode {
  const { digest } = channel
  if (!digest) return null
  const isStuck = isFixed || !channel.enabled || (!hasLocks && digest.locked)
  return (
    <Group align="end" gap="lg" mt="md">
      <Switch
        label="Send one digest instead"
        description="Everything except security notices is collected and sent at 06:00 UTC."
        aria-label={`${label}: send one digest instead`}
        checked={digest.enabled}
        disabled={isStuck}
        onChange={({ currentTarget: { checked } }) => onChange({ digest: { enabled: checked } })}
      />
      {digest.enabled && (
        <NativeSelect
          label="How often"
          disabled={isStuck}
          value={digest.frequency}
          data={[
            { value: 'DIGEST_FREQUENCY_DAILY', label: 'Every day' },
            { value: 'DIGEST_FREQUENCY_WEEKLY', label: 'Every week' },
          ]}
          onChange={({ currentTarget: { value } }) =>
            onChange({ digest: { frequency: value as DigestPreference['frequency'] } })
          }
        />
      )}
      {digest.enabled && digest.frequency === 'DIGEST_FREQUENCY_WEEKLY' && (
        <NativeSelect
          label="On"
          disabled={isStuck}
          value={digest.dayOfWeek}
          data={days.map((day) => ({ value: `WEEKDAY_${day}`, label: dayLabel(day) }))}
          onChange={({ currentTarget: { value } }) =>
            onChange({ digest: { dayOfWeek: value as DigestPreference['dayOfWeek'] } })
          }
        />
      )}
      {hasLocks && (
        <Checkbox
          label="Same for everyone"
          aria-label={`${label}: digest, same for everyone`}
          checked={digest.locked}
          disabled={isFixed || !channel.enabled}
          onChange={({ currentTarget: { checked } }) => onChange({ digest: { locked: checked } })}
        />
      )}
    </Group>
  )
}
