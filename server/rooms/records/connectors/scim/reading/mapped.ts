import { isPlainAddress, toSingleLine } from '#kernel/single-line.ts'
import type { WrittenUser } from '#rooms/records/baton/index.ts'
import { ScimFailed } from '../protocol/failed.ts'
import { attribute, idOf, isFalse, isObject, type Json, listOf, textOf } from '../protocol/json.ts'

const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'

/**
 * The attributes of a user that are shown besides those with separate fields. Passwords, keys and photographs are not read.
 */
const profileTexts = ['title', 'userType', 'nickName', 'preferredLanguage', 'locale', 'timezone', 'externalId'] as const
const enterpriseTexts = ['department', 'division', 'organization', 'costCenter', 'employeeNumber'] as const
const textMax = 1000
const itemsMax = 100

const cut = (text: string): string => toSingleLine(text.toWellFormed()).slice(0, textMax)

/** A user of an app (RFC 7643 section 4.1) as an account. */
export function userOf(user: Json): WrittenUser {
  const id = idOf(user, 'user')
  const name = attribute(user, 'name')
  const names = isObject(name) ? name : {}
  const login = cut(textOf(user, 'userName'))
  const full = [textOf(names, 'givenName'), textOf(names, 'familyName')].filter(Boolean).join(' ')
  const extension = attribute(user, enterprise)
  const work = isObject(extension) ? extension : {}
  const manager = attribute(work, 'manager')
  const texts: [string, string][] = [
    ...profileTexts.map((key): [string, string] => [key, textOf(user, key)]),
    ...enterpriseTexts.map((key): [string, string] => [key, textOf(work, key)]),
    ['givenName', textOf(names, 'givenName')],
    ['familyName', textOf(names, 'familyName')],
    ['manager', isObject(manager) ? textOf(manager, 'displayName') || textOf(manager, 'value') : ''],
  ]
  const emails = emailsOf(user)
  return {
    id,
    displayName: cut(textOf(user, 'displayName') || textOf(names, 'formatted') || full || login || (emails[0] ?? '')),
    emails,
    login,
    employeeIds: [cut(textOf(work, 'employeeNumber'))].filter(Boolean),
    isEnabled: !isFalse(attribute(user, 'active')),
    profile: Object.fromEntries(texts.filter(([, text]) => text !== '').map(([key, text]) => [key, cut(text)])),
  }
}

/**
 * The primary one first. Texts that are not addresses are left out: accounts are found by their addresses, and also by their
 * login.
 */
function emailsOf(user: Json): string[] {
  const emails = attribute(user, 'emails')
  if (!Array.isArray(emails)) return []
  const primary: string[] = []
  const others: string[] = []
  for (const each of emails.slice(0, itemsMax)) {
    const value = typeof each === 'string' ? each : isObject(each) ? textOf(each, 'value') : ''
    if (value === '' || !isPlainAddress(value)) continue
    const isPrimary = isObject(each) && attribute(each, 'primary') !== undefined && !isFalse(attribute(each, 'primary'))
    ;(isPrimary ? primary : others).push(cut(value))
  }
  return [...new Set([...primary, ...others])]
}

export type ReadGroup = { id: string; displayName: string; members: readonly Member[] | null }
export type Member = { id: string; is: 'user' | 'group' | 'unsaid' }

/** A group (RFC 7643 section 4.2). `members` is null if the app did not list them: the group may have some. */
export function groupOf(group: Json): ReadGroup {
  const id = idOf(group, 'group')
  const members = listOf(group, 'members', `The group ${id.slice(0, 100)}`)
  return {
    id,
    displayName: cut(textOf(group, 'displayName')) || cut(id),
    members: members && members.map((each) => memberOf(each, id)),
  }
}

function memberOf(member: unknown, groupId: string): Member {
  const value = isObject(member) ? attribute(member, 'value') : member
  // A member that is left out here would lose their recorded access: a group that cannot be understood is refused.
  if (typeof value !== 'string' || value === '' || value.length > 512 || value.includes('\0') || !value.isWellFormed())
    throw new ScimFailed(`The group ${groupId.slice(0, 100)} has a member without a value that is text.`)
  const said = isObject(member) ? `${textOf(member, 'type')} ${textOf(member, '$ref')}` : ''
  if (/^user\b|\/Users\//i.test(said)) return { id: value, is: 'user' }
  return { id: value, is: /^group\b|\/Groups\//i.test(said) ? 'group' : 'unsaid' }
}
