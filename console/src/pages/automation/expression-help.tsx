import { Code, UnstyledButton } from '@mantine/core'
import type { ReactNode } from 'react'
import { subjectNames } from '../../parts/cel-names.ts'
import classes from './expression-help.module.css'

/** Of the field for an expression that is asked about users. */
export const ruleWords = {
  description: 'A CEL expression that returns true or false. It is evaluated for each enabled user, named subject.',
  placeholder: 'subject.department == "Engineering"',
  names: subjectNames,
}

/** Each compiles, and a test holds them to it. */
const examples = [
  ['Everyone in a department', 'subject.department == "Engineering"'],
  ['All managers', 'subject.jobTitle.contains("Manager")'],
  [
    'Employees in one of several departments',
    'subject.employmentType == "employee" && subject.department in ["Sales", "Support"]',
  ],
  ['By an optional profile field', 'has(subject.profile.site) && subject.profile.site == "Zurich"'],
  ['By the domain of the email address', 'subject.email.endsWith("@example.com")'],
] as const

const fields = [
  ['displayName, email, username, department, jobTitle', 'texts'],
  ['employmentType, employmentStatus, status, type', 'strings, as in the directory'],
  ['emails, usernames', 'lists of strings'],
  ['profile, attributes', 'imported fields, by key'],
  ['manager, managerId', 'the manager’s email address and ID'],
] as const

/** What an expression can be made of; a click takes an example over. */
export const ExpressionHelp = ({ onTake }: { onTake: (expression: string) => void }): ReactNode => (
  <details className={classes.help}>
    <summary>Examples and available fields</summary>
    <ul className={classes.examples}>
      {examples.map(([about, expression]) => (
        <li key={expression}>
          <UnstyledButton className={classes.example} onClick={() => onTake(expression)}>
            <span className={classes.about}>{about}</span>
            <Code>{expression}</Code>
          </UnstyledButton>
        </li>
      ))}
    </ul>
    <dl className={classes.fields}>
      {fields.map(([names, about]) => (
        <div key={names}>
          <dt>
            <Code>{names}</Code>
          </dt>
          <dd>{about}</dd>
        </div>
      ))}
    </dl>
    <p className={classes.about}>
      Also <Code>&amp;&amp; || ! in</Code>, <Code>startsWith endsWith contains matches</Code>, <Code>has(…)</Code>,{' '}
      <Code>now()</Code>, and <Code>c1.user.v1.HasEntitlement(subject, "app ID", "entitlement ID")</Code>. A user
      without a field that the expression reads counts as failed and does not match.
    </p>
  </details>
)
