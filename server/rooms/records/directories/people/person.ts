import { isPlainAddress, toSingleLine } from '#kernel/single-line.ts'
import { type Complex, isObject, type Json, type Resource, urns } from '../resource.ts'

/** What a directory provides about a person, as it is stored. Empty if it provides no value. */
export type Person = {
  displayName: string
  email: string
  emails: string[]
  username: string
  employeeIds: string[]
  department: string
  jobTitle: string
  employmentType: string
  profile: { [name: string]: string }
}

const textOf = (value: Json | undefined): string => (typeof value === 'string' ? toSingleLine(value.trim()) : '')
const listOf = (value: Json | undefined): Complex[] =>
  Array.isArray(value) ? value.filter((each): each is Complex => isObject(each)) : []
const objectOf = (value: Json | undefined): Complex => (isObject(value) ? value : {})

/** The primary value, otherwise the one for work, otherwise the first. */
function preferred(values: readonly Complex[]): Complex {
  const byType = values.find(({ type }) => textOf(type).toLowerCase() === 'work')
  return values.find(({ primary }) => primary === true) ?? byType ?? values[0] ?? {}
}

function emailsOf(resource: Resource): string[] {
  const values = listOf(resource['emails'])
  const first = textOf(preferred(values)['value'])
  const all = [first, ...values.map(({ value }) => textOf(value))].filter((each) => each !== '' && isPlainAddress(each))
  const userName = textOf(resource['userName'])
  // Okta's user names are email addresses, as are those of most identity providers that send no emails.
  return all.length > 0 ? uniqueOf(all) : userName.includes('@') && isPlainAddress(userName) ? [userName] : []
}

function uniqueOf(texts: readonly string[]): string[] {
  const seen = new Set<string>()
  return texts.filter((each) => !seen.has(each.toLowerCase()) && seen.add(each.toLowerCase()))
}

/** `manager.value` of the enterprise extension; '' if there is none. */
export const managerOf = (resource: Resource): string =>
  textOf(objectOf(objectOf(resource[urns.enterprise])['manager'])['value'])

export function personOf(resource: Resource): Person {
  const name = objectOf(resource['name'])
  const enterprise = objectOf(resource[urns.enterprise])
  const parts = [textOf(name['givenName']), textOf(name['familyName'])].filter((each) => each !== '')
  const emails = emailsOf(resource)
  const employee = textOf(enterprise['employeeNumber'])
  const phone = preferred(listOf(resource['phoneNumbers']))
  const address = preferred(listOf(resource['addresses']))
  const profile = {
    givenName: textOf(name['givenName']),
    familyName: textOf(name['familyName']),
    nickName: textOf(resource['nickName']),
    preferredLanguage: textOf(resource['preferredLanguage']),
    locale: textOf(resource['locale']),
    timezone: textOf(resource['timezone']),
    organization: textOf(enterprise['organization']),
    division: textOf(enterprise['division']),
    costCenter: textOf(enterprise['costCenter']),
    phoneNumber: textOf(phone['value']),
    city: textOf(address['locality']),
    country: textOf(address['country']),
  }
  return {
    displayName:
      textOf(resource['displayName']) || textOf(name['formatted']) || parts.join(' ') || textOf(resource['userName']),
    email: emails[0] ?? '',
    emails,
    username: textOf(resource['userName']),
    employeeIds: employee === '' ? [] : [employee],
    department: textOf(enterprise['department']),
    jobTitle: textOf(resource['title']),
    employmentType: textOf(resource['userType']),
    profile: Object.fromEntries(Object.entries(profile).filter(([, value]) => value !== '')),
  }
}
