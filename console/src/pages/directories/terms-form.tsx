import { Button, Stack, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { accountNames, subjectNames } from '../../parts/cel-names.ts'
import { ChoiceField } from '../../parts/choice-field.tsx'
import { ExpressionField } from '../../parts/expression-field.tsx'
import { Label } from '../../parts/label.tsx'
import { listActions } from '../../parts/move.ts'
import { RowActions } from '../../parts/row-actions.tsx'
import type { KeyPair, Terms } from './terms.ts'
import { newPair } from './terms.ts'
import classes from './terms-form.module.css'

type TermsFormProps = {
  terms: Terms
  onChange: (terms: Terms) => void
  /** What the API answered to these very terms. */
  error: unknown
}

// As many as the API takes.
const pairsMax = 10

/** Which accounts become users, and by which keys an account and a user are the same person. */
export function TermsForm({ terms, onChange, error }: TermsFormProps): ReactNode {
  const { isAll, condition, pairs } = terms
  const change = (changes: Partial<Terms>): void => onChange({ ...terms, ...changes })
  return (
    <Stack gap="lg">
      <Stack gap="sm">
        <ChoiceField
          label="Accounts that become users"
          data={[
            { value: 'all', label: 'All' },
            { value: 'some', label: 'Accounts that meet a condition' },
          ]}
          value={isAll ? 'all' : 'some'}
          onChange={(value) => change({ isAll: value === 'all' })}
        />
        <Text size="sm" c="dimmed">
          Service and system accounts never become users.
        </Text>
        {!isAll && (
          <ExpressionField
            label="Condition"
            description="A CEL expression that returns true or false. It is evaluated for each account, named account."
            placeholder={'has(account.profile.site) && account.profile.site == "Berlin"'}
            names={accountNames}
            lines={2}
            value={condition}
            onChange={(text) => change({ condition: text })}
            error={error}
            field="celExpression.expression"
            isReadOnly={false}
          />
        )}
      </Stack>
      <KeyList pairs={pairs} onChange={(changed) => change({ pairs: changed })} error={error} />
    </Stack>
  )
}

type KeyListProps = { pairs: Terms['pairs']; onChange: (pairs: KeyPair[]) => void; error: unknown }

/** The keys, in the order in which they are tried. */
function KeyList({ pairs, onChange, error }: KeyListProps): ReactNode {
  const put = (changed: KeyPair): void => onChange(pairs.map((pair) => (pair.key === changed.key ? changed : pair)))
  return (
    <div>
      <Label text="Keys">
        {(id) => (
          <Text size="sm" c="dimmed" aria-describedby={id} mb="sm">
            An account belongs to the user with the same key. Keys are tried in order, and empty keys are skipped. Case
            and surrounding spaces are ignored. If no user has a key of the account, a user is created.
          </Text>
        )}
      </Label>
      <ol className={classes.pairs} aria-label="Keys">
        {pairs.map((pair, place) => (
          <li key={pair.key} className={classes.pair}>
            <div className={classes.top}>
              <h3 className={classes.title}>Key {place + 1}</h3>
              <RowActions
                // Without any, accounts are matched by email address, which would not be seen.
                actions={listActions({
                  list: pairs,
                  place,
                  name: `key ${place + 1}`,
                  onChange,
                  min: 1,
                })}
              />
            </div>
            <KeyFields place={place} pair={pair} onChange={put} error={error} />
          </li>
        ))}
      </ol>
      {pairs.length < pairsMax && (
        <Button
          size="xs"
          variant="default"
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() => onChange([...pairs, newPair()])}
        >
          Add key
        </Button>
      )}
    </div>
  )
}

type KeyFieldsProps = { place: number; pair: KeyPair; onChange: (pair: KeyPair) => void; error: unknown }

const KeyFields = ({ place, pair, onChange, error }: KeyFieldsProps): ReactNode => (
  <div className={classes.sides}>
    <ExpressionField
      label="Of the account"
      description="Returns a string."
      placeholder="account.employeeIds[0]"
      names={accountNames}
      lines={1}
      value={pair.ofAccount}
      onChange={(ofAccount) => onChange({ ...pair, ofAccount })}
      error={error}
      field={`mergeConfig.matchCases[${place}].appUserKeyCel`}
      isReadOnly={false}
    />
    <ExpressionField
      label="Of the user"
      description="Returns a string."
      placeholder="subject.employeeIds[0]"
      names={subjectNames}
      lines={1}
      value={pair.ofUser}
      onChange={(ofUser) => onChange({ ...pair, ofUser })}
      error={error}
      field={`mergeConfig.matchCases[${place}].userKeyCel`}
      isReadOnly={false}
    />
  </div>
)
