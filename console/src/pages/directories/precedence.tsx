import { Button, Group, NativeSelect, Skeleton, Text, TextInput } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { directoriesListStates, directoryPrecedencesGet } from '#client/api/operations.ts'
import type { DirectoryPrecedence } from '#client/api/types.ts'
import { read } from '../../client/queries.ts'
import { useSession } from '../../client/session.ts'
import { ErrorNote } from '../../parts/error-note.tsx'
import { LeaveQuestion } from '../../parts/leave-question.tsx'
import { Page } from '../../parts/page.tsx'
import { Panel } from '../../parts/panel.tsx'
import { RowActions } from '../../parts/row-actions.tsx'
import { isSameOrder, newOwn, type Order, type OwnOrder, orderOf, sentOrder, withGeneral } from './order.ts'
import classes from './order-list.module.css'
import { OrderList } from './order-list.tsx'
import { PlanPanel } from './plan.tsx'
import { useDirectoryPlan } from './planning.ts'
import { attributeName, attributeWords } from './words.ts'

const namesMax = 100

/** Which directory's value is used for which attribute, if several have one. */
export function Precedence(): ReactNode {
  const { data, error, refetch } = useQuery(read(directoryPrecedencesGet, {}))
  const states = useQuery(read(directoriesListStates, { query: { page_size: namesMax } }))
  const names = new Map(states.data?.list.map(({ appId, displayName }) => [appId, displayName]))
  const nameOf = (id: string): string => names.get(id) ?? id
  return (
    <Page
      about="If a user is in several directories, each attribute comes from the first directory in this order that has a value for it."
      above={[{ label: 'Directories', to: '/directories' }]}
    >
      {error ? (
        <ErrorNote error={error} title="The order could not be loaded" retry={() => void refetch()} />
      ) : data?.precedence && states.data ? (
        <PrecedenceEditor precedence={data.precedence} nameOf={nameOf} />
      ) : (
        <Skeleton height={320} />
      )}
    </Page>
  )
}

type PrecedenceEditorProps = { precedence: DirectoryPrecedence; nameOf: (id: string) => string }

function PrecedenceEditor({ precedence, nameOf }: PrecedenceEditorProps): ReactNode {
  const { may } = useSession()
  const mayChange = may('directories.write')
  const saved = orderOf(precedence)
  // The unsaved order; null means the saved one.
  const [changed, setChanged] = useState<Order | null>(null)
  const order = changed ?? saved
  const isSaved = isSameOrder(order, saved)
  const planning = useDirectoryPlan({ done: 'Saved the order', onApplied: () => {} })
  // The saved order is shown until it is read again.
  useEffect(() => {
    if (isSaved) setChanged(null)
  }, [isSaved])
  const change = (next: Order): void => {
    planning.forget()
    setChanged(next)
  }
  const putOwn = (own: readonly OwnOrder[]): void => change({ ...order, own })
  const { general, own } = order
  return (
    <>
      <Panel title="General order" about="Applies to all attributes without their own order.">
        {general.length === 0 ? (
          <Text size="sm">There are no directories yet.</Text>
        ) : (
          <OrderList
            label="General order"
            ids={general}
            nameOf={nameOf}
            onChange={mayChange ? (ids) => change(withGeneral(order, ids)) : undefined}
          />
        )}
        {general.length === 1 && (
          <Text size="sm" c="dimmed" mt="sm">
            The order matters as soon as there is a second directory.
          </Text>
        )}
      </Panel>
      {(own.length > 0 || (mayChange && general.length > 1)) && (
        <OwnOrders order={order} onChange={mayChange ? putOwn : undefined} nameOf={nameOf} />
      )}
      {mayChange && general.length > 0 && (
        <PlanPanel
          planning={planning}
          change={sentOrder(order)}
          appId=""
          lack={isSaved ? 'Change the order to see the plan.' : null}
          fields={[]}
          verb="Save and apply"
        />
      )}
      <LeaveQuestion isChanged={!isSaved}>Your changes to the order are not saved.</LeaveQuestion>
    </>
  )
}

const ofProfile = 'profile.'

type AddAttributeProps = { without: readonly string[]; onAdd: (attribute: string) => void }

function AddAttribute({ without, onAdd }: AddAttributeProps): ReactNode {
  const [wanted, setWanted] = useState('')
  const [field, setField] = useState('')
  const attribute = wanted === ofProfile ? `${ofProfile}${field.trim()}` : wanted
  const isKnown = without.includes(attribute)
  const others = Object.entries(attributeWords).filter(([name]) => !without.includes(name))
  return (
    <Group align="flex-end" gap="sm">
      <NativeSelect
        label="Attribute"
        value={wanted}
        onChange={({ currentTarget: { value } }) => setWanted(value)}
        data={[
          { value: '', label: 'Choose an attribute' },
          ...others.map(([value, label]) => ({ value, label })),
          { value: ofProfile, label: 'One profile field…' },
        ]}
      />
      {wanted === ofProfile && (
        <TextInput
          label="Profile field"
          placeholder="costCenter"
          maxLength={100}
          value={field}
          onChange={({ currentTarget: { value } }) => setField(value)}
          error={isKnown ? 'It already has its own order.' : undefined}
        />
      )}
      <Button
        variant="default"
        disabled={wanted === '' || attribute === ofProfile || isKnown}
        onClick={() => {
          onAdd(attribute)
          setWanted('')
          setField('')
        }}
      >
        Add order
      </Button>
    </Group>
  )
}

type OwnOrdersProps = {
  order: Order
  onChange: ((own: readonly OwnOrder[]) => void) | undefined
  nameOf: (id: string) => string
}

/** The attributes with their own order. */
function OwnOrders({ order: { general, own }, onChange, nameOf }: OwnOrdersProps): ReactNode {
  const put = (attribute: string, ids: readonly string[]): void =>
    onChange?.(own.map((each) => (each.attribute === attribute ? { ...each, ids, saved: null } : each)))
  return (
    <Panel title="Attributes with their own order">
      {own.map(({ attribute, ids }) => (
        <div key={attribute} className={classes.own}>
          <div className={classes.ownTop}>
            <h3 className={classes.ownTitle}>{attributeName(attribute)}</h3>
            {onChange && (
              <RowActions
                actions={[
                  {
                    label: 'Remove',
                    name: `Remove the order of ${attributeName(attribute)}`,
                    icon: IconTrash,
                    onClick: () => onChange(own.filter((each) => each.attribute !== attribute)),
                  },
                ]}
              />
            )}
          </div>
          <OrderList
            label={attributeName(attribute)}
            ids={ids}
            nameOf={nameOf}
            onChange={onChange && ((next) => put(attribute, next))}
          />
        </div>
      ))}
      {onChange && (
        <AddAttribute
          without={own.map(({ attribute }) => attribute)}
          onAdd={(attribute) => onChange([...own, newOwn(attribute, general)])}
        />
      )}
    </Panel>
  )
}
