import { Badge } from '@mantine/core'
import type { ReactNode } from 'react'
import type {
  App,
  AppEntitlement,
  AppUser,
  ChangeCause,
  ChangeReason,
  Difference,
  ListChangesResponse,
  User,
} from '#client/api/types.ts'
import { useSession } from '../../client/session.ts'
import { sources } from '../../parts/grant-reasons.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Named } from '../../parts/named.tsx'
import { PageLink } from '../../parts/page-link.tsx'
import { placeOfSource } from '../../parts/source-place.ts'
import type { Column } from '../../parts/table.tsx'
import { UserName } from '../../parts/user-name.tsx'
import { accountName } from '../accounts/account-columns.tsx'
import classes from './compare.module.css'
import { causes, colors, kinds, type Subject } from './words.ts'

/** A change, with what it names. */
export type Row = { change: Difference; names: Names }

type Names = {
  apps: ReadonlyMap<string, App>
  entitlements: ReadonlyMap<string, AppEntitlement>
  accounts: ReadonlyMap<string, AppUser>
  users: ReadonlyMap<string, User>
}

export function rowsOf({ list, expanded }: ListChangesResponse): readonly Row[] {
  const of = <T extends { id: string }>(kind: string): Map<string, T> =>
    new Map(
      expanded
        .filter((each) => String(each?.['@type']).endsWith(`.${kind}`))
        .map((each) => [String(each?.['id']), each as unknown as T]),
    )
  const names = {
    apps: of<App>('App'),
    entitlements: of<AppEntitlement>('AppEntitlement'),
    accounts: of<AppUser>('AppUser'),
    users: of<User>('User'),
  }
  return list.map((change) => ({ change, names }))
}

const deletedMark = (deletedAt: string | null | undefined): string => (deletedAt ? ' (deleted)' : '')

function EntitlementCell({ change: { appId, appEntitlementId: id }, names }: Row): ReactNode {
  const { may } = useSession()
  const found = names.entitlements.get(id)
  const app = names.apps.get(appId)
  return (
    <Named
      label={found ? `${found.displayName}${deletedMark(found.deletedAt)}` : id || 'An entitlement'}
      to={may('entitlements.read') && found && !found.deletedAt ? `/apps/${appId}/entitlements/${id}` : undefined}
      about={app && `${app.displayName}${deletedMark(app.deletedAt)}`}
    />
  )
}

function WhoCell({ change: { appId, appUserId, userId }, names }: Row): ReactNode {
  const user = names.users.get(userId)
  const account = names.accounts.get(appUserId)
  const asAccount = account ? account.username || accountName(account) : ''
  if (user?.displayName)
    return (
      <Named
        label={`${user.displayName}${deletedMark(user.deletedAt)}`}
        to={`/users/${userId}`}
        about={asAccount && `as ${asAccount}`}
      />
    )
  if (appUserId === '') return '–'
  return <Named isQuiet label={asAccount || appUserId} to={`/apps/${appId}/accounts/${appUserId}`} />
}

const Kind = ({ change }: Row): ReactNode => {
  const [, , label = '', sign = ''] = kinds.find(([kind]) => kind === change.kind) ?? []
  return (
    <Badge component="span" color={colors[change.kind] ?? 'gray'}>
      <span className={classes.sign} aria-hidden>
        {sign}
      </span>
      {label}
    </Badge>
  )
}

const keyOf = ({ source, grantedBy, grantedAt, expiresAt }: ChangeReason): string =>
  [source, grantedBy, grantedAt, expiresAt].join(' ')

/** Of what is held at both moments, what is other: the source, or when it expires. */
function Terms({ change: { kind, before, after } }: Row): ReactNode {
  const [was, is] = [new Set(before.map(keyOf)), new Set(after.map(keyOf))]
  const gone = kind === 'CHANGE_KIND_ADDED' ? [] : before.filter((each) => !is.has(keyOf(each)))
  const came = after.filter((each) => !was.has(keyOf(each)))
  return (
    <ul className={classes.terms}>
      {gone.map((each) => (
        <li key={keyOf(each)}>
          <span aria-hidden>− </span>
          <del className={classes.gone}>
            <Term reason={each} />
          </del>
        </li>
      ))}
      {came.map((each) => (
        <li key={keyOf(each)}>
          <span aria-hidden>+ </span>
          <ins style={{ textDecoration: 'none' }}>
            <Term reason={each} />
          </ins>
        </li>
      ))}
    </ul>
  )
}

const Term = ({ reason: { source, expiresAt } }: { reason: ChangeReason }): ReactNode => (
  <>
    {sources[source]?.[0] ?? source}
    {expiresAt ? (
      <>
        , expires <Moment at={expiresAt} />
      </>
    ) : (
      ', no expiry'
    )}
  </>
)

/** Who or what caused a change, leading to its page. */
function Cause({ cause }: { cause: ChangeCause | null }): ReactNode {
  const { may } = useSession()
  const [source, label, color] = (cause && causes[cause.kind]) ?? []
  if (!cause || !label) return <span style={{ color: 'var(--quiet)' }}>Not recorded</span>
  const place = placeOfSource(source ?? '', cause)
  const name = cause.kind === 'CHANGE_CAUSE_IMPORT' ? '' : cause.displayName
  return (
    <div className={classes.cause}>
      {place && may(place.permission) && !cause.isDeleted ? (
        <Badge component={PageLink} to={place.to} color={color ?? 'gray'} className={classes.link} title={place.title}>
          {label}
        </Badge>
      ) : (
        <Badge component="span" color={color ?? 'gray'}>
          {label}
        </Badge>
      )}
      {cause.kind === 'CHANGE_CAUSE_USER' && cause.id ? (
        <UserName userId={cause.id} />
      ) : cause.kind === 'CHANGE_CAUSE_IMPORT' && cause.displayName ? (
        <Moment at={cause.displayName} />
      ) : (
        name && (
          <span {...(cause.ruleExpression && { title: cause.ruleExpression })}>
            {name}
            {cause.isDeleted && ' (deleted)'}
          </span>
        )
      )}
    </div>
  )
}

const changeColumn: Column<Row> = { header: 'Change', width: '8rem', cell: (row) => <Kind {...row} /> }
const whenColumn: Column<Row> = {
  header: 'When',
  width: '11rem',
  cell: ({ change }) => <Moment at={change.changedAt} />,
}
const causeColumn: Column<Row> = { header: 'Cause', width: '22%', cell: ({ change }) => <Cause cause={change.cause} /> }

const AppCell = ({ change: { appId }, names }: Row): ReactNode => {
  const app = names.apps.get(appId)
  return (
    <Named
      isQuiet
      label={app ? `${app.displayName}${deletedMark(app.deletedAt)}` : appId || '–'}
      to={app && !app.deletedAt ? `/apps/${appId}` : undefined}
    />
  )
}

const objectKinds: Readonly<Record<string, string>> = {
  app: 'App',
  entitlement: 'Entitlement',
  resource: 'Resource',
  account: 'Account',
  user: 'User',
  connector: 'Connector',
}

/** What somebody owns, or owned. */
function OwnedCell({ change, names }: Row): ReactNode {
  const { objectKind: kind, objectAppId: appId, objectTypeId: typeId, objectId: id } = change
  const account = names.accounts.get(id)
  const places: Readonly<Record<string, readonly [name: string | undefined, to: string]>> = {
    app: [names.apps.get(id)?.displayName, `/apps/${id}`],
    entitlement: [names.entitlements.get(id)?.displayName, `/apps/${appId}/entitlements/${id}`],
    resource: [change.objectDisplayName, `/apps/${appId}/resources/${typeId}/${id}`],
    account: [account && accountName(account), `/apps/${appId}/accounts/${id}`],
    user: [names.users.get(id)?.displayName, `/users/${id}`],
    connector: ['', `/apps/${appId}/connectors/${id}`],
  }
  const found = places[kind]
  return (
    <Named
      label={found?.[0] || objectKinds[kind] || id}
      to={found?.[1]}
      about={`${objectKinds[kind] ?? kind} · ${change.roleSlug}`}
    />
  )
}

const columns: Readonly<Partial<Record<Subject, readonly Column<Row>[]>>> = {
  CHANGE_SUBJECT_GRANT: [
    { header: 'Entitlement', cell: (row) => <EntitlementCell {...row} /> },
    { header: 'Who', width: '18%', cell: (row) => <WhoCell {...row} /> },
    changeColumn,
    { header: 'Reasons', width: '18%', cell: (row) => <Terms {...row} /> },
    causeColumn,
    whenColumn,
  ],
  CHANGE_SUBJECT_USER: [
    {
      header: 'User',
      cell: ({ change, names }) => {
        const user = names.users.get(change.userId)
        return <Named label={user?.displayName || change.userId} to={`/users/${change.userId}`} about={user?.email} />
      },
    },
    changeColumn,
    whenColumn,
  ],
  CHANGE_SUBJECT_APP: [{ header: 'App', cell: (row) => <AppCell {...row} /> }, changeColumn, whenColumn],
  CHANGE_SUBJECT_ACCOUNT: [
    {
      header: 'Account',
      cell: ({ change: { appId, appUserId: id }, names }) => {
        const account = names.accounts.get(id)
        return (
          <Named
            label={account ? accountName(account) : id}
            to={`/apps/${appId}/accounts/${id}`}
            about={account?.email}
          />
        )
      },
    },
    { header: 'App', width: '24%', cell: (row) => <AppCell {...row} /> },
    changeColumn,
    whenColumn,
  ],
  CHANGE_SUBJECT_ENTITLEMENT: [
    { header: 'Entitlement', cell: (row) => <EntitlementCell {...row} /> },
    changeColumn,
    whenColumn,
  ],
  CHANGE_SUBJECT_OWNER: [
    { header: 'Owned', cell: (row) => <OwnedCell {...row} /> },
    {
      header: 'Owner',
      width: '22%',
      cell: (row) => (row.change.userId ? <UserName userId={row.change.userId} /> : <EntitlementCell {...row} />),
    },
    changeColumn,
    causeColumn,
    whenColumn,
  ],
  CHANGE_SUBJECT_RULE: [
    {
      header: 'Rule',
      cell: ({ change, names }) => (
        <Named
          label={change.displayName || 'Rule without a name'}
          to={
            change.kind === 'CHANGE_KIND_REMOVED'
              ? undefined
              : `/apps/${change.appId}/entitlements/${change.appEntitlementId}/automation`
          }
          about={names.entitlements.get(change.appEntitlementId)?.displayName}
        />
      ),
    },
    { header: 'App', width: '24%', cell: (row) => <AppCell {...row} /> },
    changeColumn,
    whenColumn,
  ],
}

export const columnsFor = (subject: Subject): readonly Column<Row>[] => columns[subject] ?? []
