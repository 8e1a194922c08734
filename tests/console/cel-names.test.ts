import { expect, test } from 'vitest'
import { findRecordField } from '#rooms/rules/expressions/scope.ts'
import { findField } from '#rooms/rules/expressions/subject.ts'
import { accountNames, subjectNames } from '../../console/src/parts/cel-names.ts'

const fieldsOf = (names: readonly string[], root: string): string[] =>
  names.filter((name) => name.startsWith(root)).map((name) => name.slice(root.length).replace('[0]', ''))

test('every name that is offered while an expression is typed is one that expressions know', () => {
  const ofUsers = fieldsOf(subjectNames, 'subject.')
  expect(ofUsers.length).toBeGreaterThan(10)
  expect(ofUsers.filter((field) => findField(field) === null)).toEqual([])
  const ofAccounts = fieldsOf(accountNames, 'account.')
  expect(ofAccounts.length).toBeGreaterThan(5)
  expect(ofAccounts.filter((field) => findRecordField('account', field) === null)).toEqual([])
})
