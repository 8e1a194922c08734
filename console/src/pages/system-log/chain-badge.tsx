import { Alert, Anchor, Button, Group, List } from '@mantine/core'
import { IconShieldCheck, IconShieldExclamation, IconShieldQuestion } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { systemLogVerification, systemLogVerify } from '#client/api/operations.ts'
import type { SystemLogVerification } from '#client/api/types.ts'
import { read, useChange } from '../../client/queries.ts'
import { useSession } from '../../client/session.ts'
import { ErrorNote } from '../../parts/error-note.tsx'
import { Moment } from '../../parts/moment.tsx'
import { RelativeTime } from '../../parts/relative-time.tsx'
import classes from './log.module.css'

const againMs = 60_000

/** Whether the chain was verified, when and by whom; prominent if something was found. */
export function ChainBadge(): ReactNode {
  const { may } = useSession()
  const { data, error } = useQuery({ ...read(systemLogVerification, {}), refetchInterval: againMs })
  const verify = useChange(systemLogVerify, {
    changes: [systemLogVerification],
    done: ({ latest }) => (latest?.findingCount === '0' ? 'Verified. No changes found.' : ''),
  })
  if (error) return <ErrorNote error={error} title="The state of the verification could not be loaded" />
  if (!data) return <div className={classes.badge} style={{ minHeight: '1.875rem' }} />
  const { latest } = data
  const actions = may('systemlog.verify') && (
    <Group gap="xs">
      <Button
        size="compact-sm"
        variant="default"
        loading={verify.isPending}
        onClick={() => verify.mutate({ body: {} })}
      >
        Verify now
      </Button>
      <Button
        size="compact-sm"
        variant="subtle"
        disabled={verify.isPending}
        title="Reads all events again, including those that were verified before"
        onClick={() => verify.mutate({ body: { isWhole: true } })}
      >
        Verify everything
      </Button>
    </Group>
  )
  return (
    <>
      <ErrorNote error={verify.error} title="The log could not be verified" />
      {latest && latest.findingCount !== '0' ? (
        <Failed latest={latest}>{actions}</Failed>
      ) : (
        <div className={classes.badge} role="status">
          <span className={classes.verified}>
            {latest ? (
              <IconShieldCheck size={18} className={classes.good} aria-hidden />
            ) : (
              <IconShieldQuestion size={18} aria-hidden />
            )}
            {latest ? <Verified latest={latest} links={Number(data.links)} /> : 'Chain not verified yet'}
          </span>
          {actions}
        </div>
      )}
    </>
  )
}

function By({ latest: { by, byUserId, byName } }: { latest: SystemLogVerification }): ReactNode {
  const { may } = useSession()
  if (by === 'VERIFIED_BY_SERVER') return 'the server'
  if (by === 'VERIFIED_BY_COMMAND') return `the command line (${byName})`
  if (!may('users.read')) return byName
  return (
    <Anchor component={Link} to={`/users/${byUserId}`} size="sm" underline="always">
      {byName}
    </Anchor>
  )
}

const Verified = ({ latest, links }: { latest: SystemLogVerification; links: number }): ReactNode => (
  <span>
    <strong>Chain verified</strong> <RelativeTime at={latest.finishedAt ?? ''} /> by <By latest={latest} />
    {latest.isComplete ? (
      <span className={classes.quiet}>
        , up to link {latest.upToLink}
        {latest.upToTime && (
          <>
            {' '}
            (<Moment at={latest.upToTime} show="exact" />)
          </>
        )}
      </span>
    ) : (
      <span className={classes.quiet}>
        , up to link {latest.upToLink} of {links} so far; the server verifies the rest
      </span>
    )}
  </span>
)

const Failed = ({ latest, children }: { latest: SystemLogVerification; children: ReactNode }): ReactNode => (
  <Alert
    color="red"
    role="alert"
    mb="md"
    icon={<IconShieldExclamation aria-hidden />}
    title={`Verification failed: ${latest.findingCount} ${latest.findingCount === '1' ? 'finding' : 'findings'}`}
  >
    <p style={{ margin: '0 0 0.5rem' }}>
      Someone may have changed the system log in the database. Verified <RelativeTime at={latest.finishedAt ?? ''} /> by{' '}
      <By latest={latest} />. Run <code>bailiwick systemlog verify</code> on the server for all findings.
    </p>
    <List size="sm" mb="sm">
      {latest.findings.map((finding) => (
        <List.Item key={finding}>{finding}</List.Item>
      ))}
    </List>
    {children}
  </Alert>
)
