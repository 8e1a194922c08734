import { ActionIcon, Autocomplete, Button, NativeSelect, TagsInput } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { AppName } from '../app-name.tsx'
import { AppPicker } from '../app-picker.tsx'
import type { FindValues } from '../completion.tsx'
import { EntitlementName } from '../entitlement-name.tsx'
import { EntitlementPicker } from '../entitlement-picker.tsx'
import classes from './conditions.module.css'
import {
  type AccessCondition,
  type Attribute,
  type AttributeCondition,
  attributeLabel,
  type Comparison,
  type Condition,
  isFinished,
  newCondition,
  withComparison,
} from './model.ts'

type RowProps<Of extends Condition = Condition> = {
  /** Its place, for screen readers: `2`, or `2.1` in a group. */
  place: string
  condition: Of
  attributes: readonly Attribute[]
  values: FindValues | undefined
  onChange: (condition: Condition) => void
  onRemove: () => void
}

const keyOf = ({ kind, name }: Attribute): string => `${kind} ${name}`
const ofEntitlement = 'entitlement'
const ofApp = 'app'

const comparisons: readonly (readonly [Comparison, is: string, isNot: string])[] = [
  ['is', 'is', 'is not'],
  ['oneOf', 'is one of', 'is none of'],
  ['beginsWith', 'begins with', 'does not begin with'],
  ['endsWith', 'ends with', 'does not end with'],
  ['contains', 'contains', 'does not contain'],
  ['isSet', 'is set', 'is not set'],
]

/** One condition: what is asked about, how it is compared, and with what. */
export function ConditionRow(props: RowProps): ReactNode {
  const { place, condition, onRemove } = props
  return (
    <div className={classes.row} role="group" aria-label={`Condition ${place}`}>
      <AboutField {...props} />
      {condition.kind === 'access' ? (
        <AccessFields {...props} condition={condition} />
      ) : (
        <AttributeFields {...props} condition={condition} />
      )}
      <ActionIcon variant="subtle" color="gray" size="lg" aria-label={`Remove condition ${place}`} onClick={onRemove}>
        <IconX size={16} aria-hidden />
      </ActionIcon>
    </div>
  )
}

/** What the condition is about. */
function AboutField({ place, condition, attributes, onChange }: RowProps): ReactNode {
  const own = condition.kind === 'attribute' ? condition.attribute : null
  const isKnown = !own || attributes.some((each) => keyOf(each) === keyOf(own))
  const all = isKnown || !own ? attributes : [...attributes, own]
  const optionsOf = (kind: Attribute['kind']) =>
    all.filter((each) => each.kind === kind).map((each) => ({ value: keyOf(each), label: attributeLabel(each) }))
  const profile = optionsOf('profile')
  return (
    <NativeSelect
      aria-label={`Attribute of condition ${place}`}
      value={own ? keyOf(own) : condition.kind === 'access' && condition.entitlementId === null ? ofApp : ofEntitlement}
      data={[
        { group: 'Attributes', items: optionsOf('field') },
        ...(profile.length > 0 ? [{ group: 'Profile', items: profile }] : []),
        {
          group: 'Access',
          items: [
            { value: ofEntitlement, label: 'Entitlement' },
            { value: ofApp, label: 'Account in an app' },
          ],
        },
      ]}
      onChange={({ currentTarget: { value } }) => {
        const attribute = all.find((each) => keyOf(each) === value)
        onChange(
          attribute
            ? newCondition(attribute)
            : { kind: 'access', appId: '', entitlementId: value === ofApp ? null : '', isNot: false },
        )
      }}
    />
  )
}

function AttributeFields({ place, condition, values, onChange }: RowProps<AttributeCondition>): ReactNode {
  const { attribute, comparison, isNot } = condition
  const label = `Value of condition ${place}`
  const [typed, setTyped] = useState('')
  const isMany = comparison === 'oneOf'
  const known = useKnown(values, attribute, isMany ? typed : (condition.values[0] ?? ''))
  const error = isFinished(condition) ? undefined : isMany ? 'Enter at least one value.' : 'Enter a value.'
  return (
    <>
      <NativeSelect
        aria-label={`Comparison of condition ${place}`}
        value={`${comparison} ${isNot}`}
        data={comparisons.flatMap(([each, is, not]) => [
          { value: `${each} false`, label: is },
          { value: `${each} true`, label: not },
        ])}
        onChange={({ currentTarget: { value } }) => {
          const [next, not] = value.split(' ') as [Comparison, string]
          onChange({ ...withComparison(condition, next), isNot: not === 'true' })
        }}
      />
      <div className={classes.value}>
        {comparison === 'isSet' ? null : isMany ? (
          <TagsInput
            aria-label={label}
            placeholder={condition.values.length === 0 ? 'Type a value and press Enter' : ''}
            data={known}
            value={[...condition.values]}
            error={error}
            searchValue={typed}
            onSearchChange={setTyped}
            splitChars={[]}
            acceptValueOnBlur
            onChange={(next) => onChange({ ...condition, values: next.filter((value) => value !== '') })}
          />
        ) : (
          <Autocomplete
            aria-label={label}
            data={known}
            value={condition.values[0] ?? ''}
            error={error}
            onChange={(value) => onChange({ ...condition, values: [value] })}
          />
        )}
      </div>
    </>
  )
}

/** The values in the data that begin as what is typed; none, where the API names none. */
function useKnown(values: FindValues | undefined, { kind, name }: Attribute, typed: string): string[] {
  const [known, setKnown] = useState<string[]>([])
  const field = kind === 'profile' ? `profile.${name}` : name
  // The function is another one each time, and finds the same.
  const find = useRef(values)
  find.current = values
  useEffect(() => {
    let isLatest = true
    const place = { from: 0, quote: '"', typed, field, appId: '' }
    find.current?.(place).then(
      (found) => isLatest && setKnown([...new Set(found.map(({ value }) => value).filter((value) => value !== ''))]),
      // Without suggestions, values can be typed.
      () => isLatest && setKnown([]),
    )
    return () => {
      isLatest = false
    }
  }, [field, typed])
  return known
}

function AccessFields({ place, condition, onChange }: RowProps<AccessCondition>): ReactNode {
  const { appId, entitlementId, isNot } = condition
  const clear = (): void => onChange({ ...condition, appId: '', entitlementId: entitlementId === null ? null : '' })
  const error = isFinished(condition) ? undefined : 'Choose one.'
  return (
    <>
      <NativeSelect
        aria-label={`Comparison of condition ${place}`}
        value={String(isNot)}
        data={[
          { value: 'false', label: 'has' },
          { value: 'true', label: 'does not have' },
        ]}
        onChange={({ currentTarget: { value } }) => onChange({ ...condition, isNot: value === 'true' })}
      />
      <div className={classes.value}>
        {appId !== '' ? (
          <div className={classes.chosen}>
            {entitlementId === null ? (
              <AppName id={appId} />
            ) : (
              <EntitlementName appId={appId} entitlementId={entitlementId} />
            )}
            <Button size="compact-xs" variant="default" onClick={clear}>
              Change
            </Button>
          </div>
        ) : entitlementId === null ? (
          <AppPicker isLabelHidden error={error} onPick={({ id }) => onChange({ ...condition, appId: id })} />
        ) : (
          <EntitlementPicker
            label={`Entitlement of condition ${place}`}
            isLabelHidden
            error={error}
            onPick={({ entitlement }) =>
              onChange({ ...condition, appId: entitlement.appId, entitlementId: entitlement.id })
            }
          />
        )}
      </div>
    </>
  )
}
